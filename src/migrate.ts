// npm run migrate: brings the tables up to date, and ends. For operators who want that done before the new version starts.
import { readSettings } from './config/settings.ts';
import { runExplained } from './control/explain.ts';
import { openData } from './store/open-data.ts';

await runExplained(async () => {
  const data = await openData(readSettings(process.env));
  await data.close();
  process.stdout.write('The tables are up to date.\n');
});

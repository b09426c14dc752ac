// npm run migrate: brings the tables up to date, and ends. For who wants that done before the new version starts.
import { readSettings } from './config/settings.ts';
import { explain } from './control/explain.ts';
import { openData } from './store/open-data.ts';

try {
  const data = await openData(readSettings(process.env));
  await data.close();
  process.stdout.write('The tables are up to date.\n');
} catch (error) {
  const explanation = explain(error);
  if (explanation === undefined) {
    throw error;
  }
  process.stderr.write(`${explanation}\n`);
  process.exitCode = 1;
}

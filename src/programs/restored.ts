// npm run restored: says that the data was restored from a backup, where the program could not notice it.
import { readSettings } from '../config/settings.ts';
import { openStore } from '../store/store.ts';
import { runExplained } from './explain.ts';

await runExplained(async () => {
  const store = await openStore({ ...(await readSettings(process.env)), isRestored: true });
  const held = store.installation.takeover?.heldCampaigns ?? 0;
  await store.close();
  process.stdout.write(
    `The data counts as restored. Campaigns and scheduled messages paused until a person resumes them: ${held}. ` +
      'Forms and buttons opened earlier no longer work. Start every instance again.\n',
  );
});

// npm run migrate-store: moves the data from SQLite, in DATA_DIR, to an empty PostgreSQL database, at DATABASE_URL.
import { readPostgresSettings } from '../config/settings.ts';
import { moveStore } from '../store/installation/move-store.ts';
import { runExplained } from './explain.ts';

await runExplained(async () => {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const { dataDir, postgres } = await readPostgresSettings(process.env);
  const onTable = (name: string, rows: number) => print(`${name}: ${rows} rows copied and compared`);
  const moved = await moveStore({ dataDir, postgres, onTable });
  if (moved === undefined) {
    print('The data is in this PostgreSQL database: there is nothing left to do.');
    return;
  }
  print('Done. Start Switchboard with this DATABASE_URL from now on.');
  if (moved.heldCampaigns !== undefined) {
    print(
      `The data had been restored or copied. Campaigns and scheduled messages paused until a person resumes them: ${moved.heldCampaigns}. ` +
        'Forms and buttons opened earlier no longer work.',
    );
  }
  print(
    `${dataDir} still has the old data, which erasure and retention no longer reach. Delete switchboard.db, ` +
      'switchboard.db-wal and switchboard.db-shm there once you are sure that you will not go back.',
  );
});

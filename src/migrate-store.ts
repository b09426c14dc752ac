// npm run migrate-store: moves the data from SQLite, in DATA_DIR, to PostgreSQL, at DATABASE_URL.
import { readPostgresSettings } from './config/settings.ts';
import { runExplained } from './control/explain.ts';
import { createMoveReport, describeMoved } from './control/move-report.ts';
import { moveStore } from './store/move/move-store.ts';

await runExplained(async () => {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const settings = readPostgresSettings(process.env);
  const result = await moveStore({ ...settings, report: createMoveReport(print) });
  print(describeMoved(result, settings.dataDir));
});

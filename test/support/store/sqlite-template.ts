import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import { openDatabase } from '../../../src/store/engine/sqlite/database.ts';

let template: Promise<Buffer> | undefined;

/** Puts a database with the tables of the program into a data folder that is empty: a copy takes a fraction of the migrations. */
export async function putTables(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (readdirSync(dataDir).length === 0) {
    template ??= makeTemplate();
    writeFileSync(join(dataDir, 'switchboard.db'), await template, { mode: 0o600 });
  }
}

async function makeTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-template-'));
  const file = join(folder, 'template.db');
  const worker = new URL('../../../src/store/store-worker.ts', import.meta.url);
  const database = await openDatabase(file, { worker, timers: systemTimers });
  await migrate(database.db);
  await database.close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

import { cpSync, rmSync } from 'node:fs';
import { temporaryFolder } from '../temporary-folder.ts';
import { copyPostgresDatabase, putPostgresBack } from './databases.ts';
import { knownPostgresOf } from './temporary-store.ts';

/**
 * Copies a data folder, and its PostgreSQL database, while both are closed. Returns a function that restores
 * the copy, once.
 */
export async function copyData(
  test: { after(end: () => void | Promise<void>): void },
  dataDir: string,
): Promise<() => Promise<void>> {
  const copy = temporaryFolder(test);
  const replace = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
  };
  const postgres = await knownPostgresOf(dataDir);
  const copied = postgres && (await copyPostgresDatabase(postgres));
  replace(dataDir, copy);
  return async () => {
    replace(copy, dataDir);
    if (postgres !== undefined && copied !== undefined) {
      await putPostgresBack(postgres, copied);
    }
  };
}

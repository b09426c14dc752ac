import Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { StoreError } from '../errors.ts';
import { createKysely } from './kysely-dialect.ts';
import { createStatementRunner } from './statement-runner.ts';

export interface ReadOnlyDatabase<Tables> {
  db: Kysely<Tables>;
  /** For what Kysely has no part in: integers of 64 bits, which are no JavaScript numbers. */
  sqlite: Database.Database;
  close(): void;
}

/**
 * Opens an SQLite database in this thread, and changes no byte of it or of its write-ahead log.
 *
 * @throws StoreError `bad_folder` when the file is not a database
 */
export function openReadOnly<Tables>(file: string): ReadOnlyDatabase<Tables> {
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(file, { readonly: true, fileMustExist: true });
    sqlite.prepare('select 1 from sqlite_master limit 1').get();
  } catch (error) {
    sqlite?.close();
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    throw new StoreError('bad_folder', `The database ${file} cannot be opened: ${reason}.`, { cause: error });
  }
  const { run } = createStatementRunner(sqlite);
  const opened = sqlite;
  return {
    sqlite,
    db: createKysely<Tables>(
      async (statement) => run(statement),
      () => {},
    ),
    close: () => void opened.close(),
  };
}

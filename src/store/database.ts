import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely';
import { StoreError } from './errors.ts';
import type { Schema } from './schema.ts';

/**
 * Opens the SQLite database, creating it where there is none. What a statement wrote is on the disk when it resolves
 * (`synchronous = FULL`), and what it deleted is overwritten there.
 *
 * @throws StoreError `bad_folder` when the file is not a database or cannot be written
 */
export function openDatabase(file: string): Kysely<Schema> {
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(file, { timeout: 5_000 });
    // Before the write-ahead log exists: SQLite gives it the mode of the database.
    chmodSync(file, 0o600);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
  } catch (error) {
    sqlite?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('bad_folder', `The database ${file} cannot be opened: ${reason}.`, { cause: error });
  }
  return new Kysely<Schema>({ dialect: new MigratableSqliteDialect({ database: sqlite }) });
}

/**
 * Kysely migrates SQLite without a transaction; SQLite itself has no trouble changing tables in one. With it, a start
 * that is cut off in the middle of a migration leaves the tables as they were.
 */
class MigratableSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl(): boolean {
        return true;
      }
    })();
  }
}

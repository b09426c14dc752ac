import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Kysely, SqliteAdapter, type SqliteDatabase, SqliteDialect, sql } from 'kysely';
import { StoreError } from './errors.ts';
import type { Schema } from './schema.ts';

/** Milliseconds that a statement waits for another program's lock. The whole process stands still meanwhile. */
const patience = 1_000;
const mostPrepared = 200;

/**
 * Opens the SQLite database, creating it where there is none. What a statement wrote is on the disk when it resolves
 * (`synchronous = FULL`), and what it deleted is overwritten there. Statements throw a StoreError `disk_full` or `locked`
 * where that is what is wrong.
 *
 * @throws StoreError `bad_folder` when the file is not a database or cannot be written
 */
export function openDatabase(file: string): Kysely<Schema> {
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(file, { timeout: patience });
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
  return new Kysely<Schema>({ dialect: new MigratableSqliteDialect({ database: forKysely(sqlite) }) });
}

/**
 * Takes what was deleted out of the write-ahead log as well, which else keeps it until it is written over. Where another
 * program is reading, it stays until the next time.
 */
export async function emptyLog(db: Kysely<Schema>): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
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

/**
 * The database as Kysely takes it. What can be wrong with the disk is put into the store's own words. Statements are
 * kept prepared: the same ones come again and again, and one let go of keeps its memory until it is garbage-collected.
 */
function forKysely(sqlite: Database.Database): SqliteDatabase {
  const prepared = new Map<string, Database.Statement<unknown[]>>();

  function prepare(text: string): Database.Statement<unknown[]> {
    const statement = prepared.get(text) ?? sqlite.prepare<unknown[]>(text);
    prepared.delete(text);
    prepared.set(text, statement);
    for (const longestUnused of prepared.keys()) {
      if (prepared.size <= mostPrepared) break;
      prepared.delete(longestUnused);
    }
    return statement;
  }

  return {
    close: () => sqlite.close(),
    prepare(text) {
      const statement = guarded(() => prepare(text));
      return {
        reader: statement.reader,
        all: (parameters) => guarded(() => statement.all(parameters)),
        run(parameters) {
          // When the disk is full, SQLite takes the transaction back by itself; a second time is an error, which would
          // hide the first.
          if (text === 'rollback' && !sqlite.inTransaction) return { changes: 0, lastInsertRowid: 0 };
          return guarded(() => statement.run(parameters));
        },
        // Of its own: while it is read from, it can do nothing else.
        iterate: (parameters) => sqlite.prepare<unknown[]>(text).iterate(parameters),
      };
    },
  };
}

function guarded<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toStoreError(error);
  }
}

function toStoreError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (error.code === 'SQLITE_FULL' || error.code === 'SQLITE_IOERR_SHMSIZE') {
    return new StoreError('disk_full', 'The disk with the data folder is full. Make room on it.', {
      cause: error,
    });
  }
  if (error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED')) {
    return new StoreError(
      'locked',
      'Another program holds the database in the data folder. Close that program.',
      {
        cause: error,
      },
    );
  }
  return error;
}

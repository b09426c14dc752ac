import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import { logPath } from '../data-dir/data-dir.ts';
import { type DataDirToRead, openDataDirToRead } from '../data-dir/data-dir-to-read.ts';
import { encryptedColumns } from '../encrypted-columns.ts';
import type { Encryption } from '../encryption/cipher.ts';
import { findUnusedKeys } from '../encryption/key-check.ts';
import { StoreError } from '../errors.ts';
import { type InstallationRow, noticeTakeover } from '../installation/installation.ts';
import type { Machine } from '../installation/machine.ts';
import type { TakeoverReason } from '../installation/takeover.ts';
import { released } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';
import { identityOf } from '../sqlite/file-identity.ts';

/** The data of a folder that is to be moved, which nobody else uses meanwhile, and which is not changed. */
export interface MoveSource extends Pick<DataDirToRead<Schema>, 'db' | 'sqlite'> {
  /** Tells the database's file from every other one. */
  identity: string;
  /** Another one after any change of the data. */
  state: string;
  installation: InstallationRow | undefined;
  /** Set where the data was restored or copied since it ran last. */
  takeover: TakeoverReason | undefined;
  close(): void;
}

/**
 * Opens a folder to move its data.
 *
 * @throws StoreError `missing_data`, `in_use`, `bad_folder`, `bad_schema`, `missing_key` or `unreadable`
 */
export async function openMoveSource(
  dataDir: string,
  { encryption, clock, machine }: { encryption: Encryption; clock: Clock; machine: Machine },
): Promise<MoveSource> {
  const { file, isLogOlder, db, sqlite, close } = openDataDirToRead<Schema>(dataDir, clock);
  try {
    const migrations = await requireTables(db);
    await findUnusedKeys(db.$pickTables<'encryption_key'>(), encryption, encryptedColumns);
    const installation = await db.selectFrom('installation').selectAll().executeTakeFirst();
    return {
      db,
      sqlite,
      identity: identityOf(file) ?? '',
      state: stateOf([installation, migrations, changedAt(file), changedAt(logPath(file))]),
      installation,
      takeover: noticeTakeover({ row: installation, file, isLogOlder, dataDir, machine }),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the names of the migrations that made the tables: all of this version, and no others. */
async function requireTables(db: Kysely<Schema>): Promise<string[]> {
  const { rows: tables } = await sql`select 1 from sqlite_master where name = 'kysely_migration'`.execute(db);
  const { rows } =
    tables.length === 0
      ? { rows: [] }
      : await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const found = rows.map(({ name }) => name);
  const needed = Object.keys(released);
  if (found.some((name) => !needed.includes(name))) {
    throw new StoreError(
      'bad_schema',
      'A newer version of Switchboard has used this folder: move its data with that version.',
    );
  }
  if (found.length < needed.length) {
    throw new StoreError(
      'bad_schema',
      'The data in the folder is of an earlier version of Switchboard. Make a backup, start this version without ' +
        'DATABASE_URL once, which brings it up to date, and then this command again.',
    );
  }
  return found;
}

/** An empty write-ahead log is the same as none. */
function changedAt(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined || stat.size === 0n ? '' : `${stat.size} ${stat.mtimeNs}`;
}

function stateOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

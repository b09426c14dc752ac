import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { sql, type Transaction } from 'kysely';
import { machineTime } from '../../lib/time/clock.ts';
import { systemTimers } from '../../lib/time/timers.ts';
import { databasePath, isLogOlderThan, openInstanceDir } from '../data-dir/data-dir.ts';
import { readMovedMark, refuseMoved, writeMovedMark } from '../data-dir/moved-mark.ts';
import { readRow, valuesPlugin } from '../engine/values.ts';
import { StoreError } from '../errors.ts';
import { holdRestored } from '../hold-restored.ts';
import { beginEpoch, type InstallationRow, noticeTakeover } from '../installation/installation.ts';
import { readMemory } from '../installation/instance-memory.ts';
import { readMachine } from '../installation/machine.ts';
import { migrate } from '../migrations/migrate.ts';
import type { PostgresOptions } from '../postgres/connection.ts';
import { openPostgres } from '../postgres/database.ts';
import { createIdentityReader } from '../postgres/identity.ts';
import type { Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import { copyTable, storedTables } from './copy-table.ts';

export interface MoveOptions {
  dataDir: string;
  postgres: PostgresOptions;
  /** Called with each table that was copied, and its number of rows. */
  onTable(name: string, rows: number): void;
}

/**
 * Copies the data of a folder to an empty PostgreSQL database, in one transaction there: cut off, it leaves both as they
 * were. The folder is marked just before the transaction ends, so the program can start on one of the two at most. Cut off
 * in between, the folder is refused until the next call. That one finds the data in PostgreSQL, or copies it as restored.
 *
 * @returns undefined where the data was there already; else how many campaigns were paused, as it counts as restored
 * @throws StoreError that says what is in the way
 */
export async function moveStore({
  dataDir,
  postgres,
  onTable,
}: MoveOptions): Promise<{ heldCampaigns: number | undefined } | undefined> {
  const file = databasePath(dataDir);
  if (!existsSync(file)) {
    throw new StoreError('missing_data', `There is no ${file}. Set DATA_DIR to the folder to be moved.`);
  }
  await using opened = new AsyncDisposableStack();
  opened.adopt(openInstanceDir(dataDir, machineTime.now), ({ release }) => release());
  const mark = readMovedMark(dataDir);
  const now = machineTime.now();
  const isLogOlder = isLogOlderThan(file, now);
  const sqlite = opened.adopt(new Database(file, { readonly: true }), (database) => void database.close());
  const opening = openPostgres<Schema>(postgres, { timers: systemTimers });
  const target = opened.adopt(await opening, ({ close }) => close());
  const db = target.db.withPlugin(valuesPlugin);

  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('installation') is not null as exists`.execute(db);
  const found = rows[0]?.exists
    ? await db.selectFrom('installation').select('markFile').executeTakeFirst()
    : undefined;
  if (mark !== undefined && mark.move === found?.markFile) {
    writeMovedMark(dataDir, { ...mark, state: 'moved' });
    return undefined;
  }
  if (found !== undefined) {
    throw otherData();
  }
  if (mark?.state === 'moved') {
    refuseMoved(dataDir);
  }
  await migrate(db);
  const stored = sqlite.prepare<[], Record<string, unknown>>('select * from installation').get();
  const row = stored && readRow<InstallationRow>(stored);
  const isRestored = noticeTakeover({ row, file, isLogOlder, dataDir, machine: readMachine() }) !== undefined;
  const { query, read } = await createIdentityReader(db, 'installation');
  const next = { move: randomUUID(), at: now.toISOString() };
  const moved = await inTransaction(db, async (transaction) => {
    await copyTables(transaction.withoutPlugins(), sqlite, onTable);
    const installation = {
      ...{ number: 1, epoch: '', ...row, machine: undefined, boot: undefined, markFile: next.move },
      ...(isRestored && beginEpoch(now)),
      // More than an instance remembers that ran on another PostgreSQL from this folder: this is no older state of that one.
      writes: (readMemory(dataDir)?.takeovers ?? -1) + 1,
      databaseFile: JSON.stringify(read((await transaction.executeQuery(query)).rows)),
    };
    await transaction.insertInto('installation').values(installation).execute();
    const heldCampaigns = isRestored ? await holdRestored(transaction, now) : undefined;
    writeMovedMark(dataDir, { ...next, state: 'moving' });
    return { heldCampaigns };
  });
  writeMovedMark(dataDir, { ...next, state: 'moved' });
  return moved;
}

/** Copies every table, while no program can use the database. */
async function copyTables(
  transaction: Transaction<Schema>,
  sqlite: Database.Database,
  onTable: MoveOptions['onTable'],
): Promise<void> {
  const all = storedTables();
  const names = sql.join(all.map(({ name }) => sql.table(name)));
  await sql`lock table ${names} in access exclusive mode`.execute(transaction);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
  const migrations = 'select name from kysely_migration order by name';
  const { rows: known } = await sql<{ name: string }>`${sql.raw(migrations)}`.execute(transaction);
  if (sqlite.prepare(migrations).pluck().all().join() !== known.map(({ name }) => name).join()) {
    throw new StoreError(
      'bad_schema',
      'The data in the folder is of another version of Switchboard. Start this version on it once, without ' +
        'DATABASE_URL, stop it, and run the command again.',
    );
  }
  // A start that was refused leaves check values of its keys, which nothing is encrypted under then.
  await sql`delete from encryption_key`.execute(transaction);
  for (const { name } of all) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(transaction);
    if (rows.length > 0) {
      throw otherData();
    }
  }
  for (const table of all.filter(({ isMoved }) => isMoved)) {
    onTable(table.name, await copyTable(sqlite, transaction, table));
  }
}

function otherData(): StoreError {
  return new StoreError(
    'other_data',
    'The PostgreSQL database has data already. Set DATABASE_URL to an empty one.',
  );
}

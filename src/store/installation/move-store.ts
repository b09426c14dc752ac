import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { sql, type Transaction } from 'kysely';
import { DatabaseError } from 'pg';
import { machineTime } from '../../lib/time/clock.ts';
import { systemTimers } from '../../lib/time/timers.ts';
import { snakeCase } from '../engine/create-tables.ts';
import {
  databasePath,
  isLogOlderThan,
  openInstanceDir,
  readMovedMark,
  refuseMoved,
  writeMovedMark,
} from '../engine/data-dir/data-dir.ts';
import { StoreError } from '../engine/errors.ts';
import { migrate } from '../engine/migrate.ts';
import type { PostgresOptions } from '../engine/postgres/connection.ts';
import { openPostgres } from '../engine/postgres/database.ts';
import { createIdentityReader } from '../engine/postgres/identity.ts';
import { inTransaction } from '../engine/transaction.ts';
import { readRow, valuesPlugin } from '../engine/values.ts';
import { type Schema, tables } from '../schema/schema.ts';
import { holdRestored } from './hold-restored.ts';
import { beginEpoch, type InstallationRow, readMachine } from './installation.ts';
import { readMemory } from './postgres-installation.ts';
import { noticeTakeover } from './sqlite-installation.ts';

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
 * @throws StoreError with the reason why the data can't be moved
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
  const { query, read } = await createIdentityReader(db);
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
  const all = Object.entries(tables).map(([name, { columns, key, notMoved }]) => {
    const numbered = Object.keys(columns).find((column) => columns[column]?.default === 'identity');
    return {
      name: snakeCase(name),
      columns: Object.keys(columns).map(snakeCase),
      key: key.map(snakeCase),
      numbered: numbered && snakeCase(numbered),
      isMoved: notMoved === undefined,
    };
  });
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

export interface CopiedTable {
  name: string;
  columns: readonly string[];
  /** The columns of the primary key, in its order. */
  key: readonly string[];
  /** The column that PostgreSQL numbers new rows by. */
  numbered: string | undefined;
}

/**
 * Copies a table and compares it: the number of rows, and a hash of all of them in the order of the primary key. New rows in
 * PostgreSQL get numbers that SQLite never used, also for rows that were deleted: encrypted values are bound to them.
 * Returns how many rows there are.
 *
 * @throws StoreError `unreadable`, naming the table
 */
export async function copyTable(
  sqlite: Database.Database,
  transaction: Transaction<Schema>,
  { name, columns, key, numbered }: CopiedTable,
): Promise<number> {
  const list = (names: readonly string[]) => names.map((each) => `"${each}"`).join();
  const select = `select ${list(columns)} from "${name}" order by ${list(key)}`;
  const table = sql.table(name);
  const source = createHash('sha256');
  const sizes: number[] = [];
  for (const rows of readBatches(sqlite, select)) {
    await sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${`[${rows.join()}]`})`
      .execute(transaction)
      .catch((cause: unknown) => {
        if (!(cause instanceof DatabaseError)) {
          throw cause;
        }
        // SQLite takes values of any type, and texts with NUL. What PostgreSQL says contains the value.
        const explanation = `PostgreSQL cannot hold a value of the table ${name} in SQLite (SQLSTATE ${cause.code}).`;
        throw new StoreError('unreadable', explanation, { cause });
      });
    source.update(rows.join());
    sizes.push(rows.length);
  }

  const target = createHash('sha256');
  await sql`declare copied no scroll cursor for ${sql.raw(select)}`.execute(transaction);
  for (const size of sizes) {
    const { rows } = await sql`fetch ${sql.lit(size)} from copied`.execute(transaction);
    target.update(rows.map((row) => JSON.stringify(row)).join());
  }
  await sql`close copied`.execute(transaction);
  const counted = await sql<{ rows: number }>`select count(*) as rows from ${table}`.execute(transaction);
  const found = counted.rows[0]?.rows;
  const count = sizes.reduce((sum, size) => sum + size, 0);
  if (found !== count || source.digest('hex') !== target.digest('hex')) {
    const explanation = `The ${count} rows of the table ${name} in SQLite and the ${found} in PostgreSQL are not the same.`;
    throw new StoreError('unreadable', explanation);
  }

  if (numbered !== undefined) {
    const last = sqlite.prepare('select seq from sqlite_sequence where name = ?').pluck().get(name) ?? 0;
    const next = sql`${last}::bigint + 1`;
    await sql`select setval(pg_get_serial_sequence(${name}, ${numbered}), ${next}, false)`.execute(
      transaction,
    );
  }
  return count;
}

/** How much of a table is in memory at once: rows, and their characters. */
const batchRows = 2_000;
const batchLength = 2 << 20;

/** Returns rows as JSON. */
function* readBatches(sqlite: Database.Database, select: string): Generator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const row of sqlite.prepare(select).iterate()) {
    const json = JSON.stringify(row);
    batch.push(json);
    length += json.length;
    if (batch.length === batchRows || length >= batchLength) {
      yield batch;
      batch = [];
      length = 0;
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

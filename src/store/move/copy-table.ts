import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { sql, type Transaction } from 'kysely';
import { DatabaseError } from 'pg';
import { snakeCase } from '../engine/create-tables.ts';
import { StoreError } from '../errors.ts';
import { type Schema, tables } from '../schema/schema.ts';

export interface CopiedTable {
  name: string;
  columns: readonly string[];
  /** The columns of the primary key, in its order. */
  key: readonly string[];
  /** The column that PostgreSQL numbers new rows by. */
  numbered: string | undefined;
}

/** Returns every table that is declared, by its names in the database. */
export function storedTables(): (CopiedTable & { isMoved: boolean })[] {
  return Object.entries(tables).map(([name, { columns, key, notMoved }]) => {
    const numbered = Object.keys(columns).find((column) => columns[column]?.default === 'identity');
    return {
      name: snakeCase(name),
      columns: Object.keys(columns).map(snakeCase),
      key: key.map(snakeCase),
      numbered: numbered && snakeCase(numbered),
      isMoved: notMoved === undefined,
    };
  });
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
      .catch((error) => Promise.reject(error instanceof DatabaseError ? badValue(name, error) : error));
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

/** How much of a table is in memory at once: rows, and characters of them. */
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

/** SQLite takes values of any type, and texts with NUL. What PostgreSQL says contains the value. */
function badValue(table: string, cause: DatabaseError): StoreError {
  const explanation = `PostgreSQL cannot hold a value of the table ${table} in SQLite (SQLSTATE ${cause.code}).`;
  return new StoreError('unreadable', explanation, { cause });
}

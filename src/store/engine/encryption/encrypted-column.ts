import { type Kysely, type RawBuilder, sql } from 'kysely';
import { createYield } from '../../../lib/yield-to-event-loop.ts';
import type { EncryptedColumn, Schema } from '../../schema/schema.ts';
import { writeValue } from '../values.ts';
import { type AdditionalData, type Encryption, prefixOf } from './cipher.ts';

type Cells = Readonly<Record<string, unknown>>;

/** Returns what a value of the column is bound to. Takes the columns of its row that the declaration names. */
export function additionalDataOf({ binding }: Pick<EncryptedColumn, 'binding'>, row: Cells): AdditionalData {
  const cells = binding.to.map((name) => {
    const cell = writeValue(row[name]);
    return typeof cell === 'number' || cell === null ? cell : String(cell);
  });
  return binding.as === undefined ? cells : [binding.as, ...cells];
}

/** One encrypted value in its row. */
export interface EncryptedValue {
  /** The columns of its row: the primary key, and what it is bound to. */
  row: Cells;
  value: string;
  additionalData: AdditionalData;
  workspaceId: string;
  area: string;
}

/** Rows that follow each other by the primary key. */
export interface EncryptedPage {
  /** The values that are encrypted under another key. */
  values: EncryptedValue[];
  /** The primary key of the last row, for `after` of the next page; undefined at the end. */
  last: readonly unknown[] | undefined;
}

/** Rows of a page where values are only counted. */
const countedRows = 1_000;

/** Counts the values under each key by the id of the key and by table, page by page: other work waits for one at most. */
export async function countValues(
  db: Kysely<Schema>,
  columns: readonly EncryptedColumn[],
  signal?: AbortSignal,
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  for (const column of columns) {
    const value = sql.ref(column.column);
    const keyId = sql`case when ${value} like 'v1.%' then substr(${value}, 4, 16) end`;
    let after: readonly unknown[] | undefined;
    do {
      const rows = await selectPage(db, column, { selected: keyId, after, limit: countedRows });
      for (const { encrypted } of rows) {
        if (typeof encrypted === 'string') {
          const byTable = counts.get(encrypted) ?? new Map<string, number>();
          counts.set(encrypted, byTable.set(column.table, (byTable.get(column.table) ?? 0) + 1));
        }
      }
      const last = rows.at(-1);
      after = last && column.key.map((name) => last[name]);
    } while (after !== undefined && !signal?.aborted);
  }
  return counts;
}

/**
 * Returns the next values of the column, by primary key. Reads at most `limit` rows, even if most are under the key already.
 * Without a key, all values are returned.
 */
export async function readEncryptedPage(
  db: Kysely<Schema>,
  column: EncryptedColumn,
  {
    keyId,
    after,
    limit,
  }: { keyId: string | undefined; after: readonly unknown[] | undefined; limit: number },
): Promise<EncryptedPage> {
  const value = sql.ref(column.column);
  const selected =
    keyId === undefined
      ? value
      : sql`case when ${value} like ${`${prefixOf(keyId)}%`} then '' else ${value} end`;
  const rows = await selectPage(db, column, { selected, after, limit });
  const page: EncryptedPage = { values: [], last: undefined };
  for (const row of rows) {
    page.last = column.key.map((name) => row[name]);
    if (typeof row.encrypted === 'string' && row.encrypted !== '') {
      page.values.push({
        row,
        value: row.encrypted,
        additionalData: additionalDataOf(column, row),
        workspaceId: String(row.ofWorkspace),
        area: column.binding.area(row),
      });
    }
  }
  return page;
}

async function selectPage(
  db: Kysely<Schema>,
  column: EncryptedColumn,
  {
    selected,
    after,
    limit,
  }: { selected: RawBuilder<unknown>; after: readonly unknown[] | undefined; limit: number },
): Promise<Cells[]> {
  const names = [...new Set([...column.key, ...column.binding.to])].map((name) => sql.ref(name));
  const key = sql.join(column.key.map((name) => sql.ref(name)));
  const fromThere = after === undefined ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
  const { rows } = await sql<Cells>`
    select ${sql.join(names)}, workspace_id as of_workspace, ${selected} as encrypted
    from ${sql.table(column.table)} ${fromThere}
    order by ${key} limit ${limit}`.execute(db);
  return rows;
}

/** Replaces a value, unless it has changed since. Returns whether it was replaced. */
export async function replaceValue(
  db: Kysely<Schema>,
  column: EncryptedColumn,
  value: Pick<EncryptedValue, 'row' | 'value'>,
  replacement: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${replacement}
    where ${isValue(column, value)}`.execute(db);
  return numAffectedRows > 0n;
}

/** Deletes the row of a value, unless it has changed since. Returns whether it was deleted. */
export async function deleteRow(
  db: Kysely<Schema>,
  column: EncryptedColumn,
  value: Pick<EncryptedValue, 'row' | 'value'>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(column.table)} where ${isValue(column, value)}`.execute(db);
  return numAffectedRows > 0n;
}

function isValue(
  { key: names, column }: EncryptedColumn,
  { row, value }: Pick<EncryptedValue, 'row' | 'value'>,
) {
  const hasKey = names.map((name) => sql`${sql.ref(name)} = ${row[name]}`);
  return sql`${sql.join(hasKey, sql` and `)} and ${sql.ref(column)} = ${value}`;
}

/** Rows of a page: other work waits no longer than for one. */
const pageSize = 100;

/** A value of a column, decrypted. */
export interface DecryptedValue extends EncryptedValue {
  text: string;
}

/**
 * Yields all values of a column for which `isWanted` is true, in the order of the primary key, giving way to other work.
 * What is written meanwhile may be among them or not.
 *
 * @throws StoreError `unreadable`
 */
export async function* walkColumn(
  db: Kysely<Schema>,
  encryption: Encryption,
  column: EncryptedColumn,
  { isWanted, signal }: { isWanted(value: EncryptedValue): boolean; signal?: AbortSignal | undefined },
): AsyncGenerator<DecryptedValue> {
  const giveWay = createYield();
  let after: readonly unknown[] | undefined;
  do {
    const page = await readEncryptedPage(db, column, { keyId: undefined, after, limit: pageSize });
    for (const value of page.values) {
      if (signal?.aborted) {
        return;
      }
      await giveWay();
      if (isWanted(value)) {
        yield { ...value, text: encryption.decrypt(value.value, value.additionalData) };
      }
    }
    after = page.last;
  } while (after !== undefined);
}

import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type AdditionalData, prefixOf } from './cipher.ts';

type Cell = string | number | null;

/** A column whose values are encrypted, or null. Each table that has one declares it, so that its keys can be rotated. */
export interface EncryptedColumn {
  table: string;
  column: string;
  /** The primary key. */
  key: readonly string[];
  /** The other columns that the additional data is made of. */
  bound: readonly string[];
  /** Takes the cells of `key` and `bound`, in this order. */
  additionalData(cells: readonly Cell[]): AdditionalData;
  /** Returns what a user calls the value. Takes the same cells. */
  area(cells: readonly Cell[]): string;
}

/** One encrypted value in its row. */
export interface EncryptedValue {
  /** The cells of the primary key. */
  key: readonly Cell[];
  value: string;
  additionalData: AdditionalData;
  workspaceId: string;
  area: string;
}

/** Rows that follow each other by the primary key. */
export interface EncryptedPage {
  /** The values that are encrypted under another key. */
  values: EncryptedValue[];
  /** The primary key of the last row, for `after` of the next page; undefined once there are no more. */
  last: readonly Cell[] | undefined;
}

/** Rows of a page where values are only counted. */
const countedRows = 1_000;

/** Counts the values under each key by the id of the key and by table, page by page: other work waits for one at most. */
export async function countValues<Tables>(
  db: Kysely<Tables>,
  columns: readonly EncryptedColumn[],
  signal?: AbortSignal,
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  for (const column of columns) {
    const value = sql.ref(column.column);
    const keyId = sql`case when ${value} like 'v1.%' then substr(${value}, 4, 16) end`;
    let after: readonly Cell[] | undefined;
    do {
      const rows = await selectPage(db, column, { selected: keyId, after, limit: countedRows });
      for (const { encrypted } of rows) {
        if (typeof encrypted === 'string') {
          const byTable = counts.get(encrypted) ?? new Map<string, number>();
          counts.set(encrypted, byTable.set(column.table, (byTable.get(column.table) ?? 0) + 1));
        }
      }
      const last = rows.at(-1);
      after = last && column.key.map((name) => last[name] ?? null);
    } while (after !== undefined && !signal?.aborted);
  }
  return counts;
}

/**
 * Returns what the next rows of the column hold, in the order of the primary key. However many values are encrypted under
 * the key already, no more than `limit` rows are read. Without a key, all values are returned.
 */
export async function readEncryptedPage<Tables>(
  db: Kysely<Tables>,
  column: EncryptedColumn,
  { keyId, after, limit }: { keyId: string | undefined; after: readonly Cell[] | undefined; limit: number },
): Promise<EncryptedPage> {
  const names = [...column.key, ...column.bound];
  const value = sql.ref(column.column);
  const selected =
    keyId === undefined
      ? value
      : sql`case when ${value} like ${`${prefixOf(keyId)}%`} then '' else ${value} end`;
  const rows = await selectPage(db, column, { selected, after, limit });
  const page: EncryptedPage = { values: [], last: undefined };
  for (const row of rows) {
    const cells = names.map((name) => row[name] ?? null);
    page.last = cells.slice(0, column.key.length);
    if (typeof row.encrypted === 'string' && row.encrypted !== '') {
      page.values.push({
        key: page.last,
        value: row.encrypted,
        additionalData: column.additionalData(cells),
        workspaceId: String(row.of_workspace),
        area: column.area(cells),
      });
    }
  }
  return page;
}

async function selectPage<Tables>(
  db: Kysely<Tables>,
  column: EncryptedColumn,
  {
    selected,
    after,
    limit,
  }: { selected: RawBuilder<unknown>; after: readonly Cell[] | undefined; limit: number },
): Promise<Record<string, Cell>[]> {
  const names = [...column.key, ...column.bound].map((name) => sql.ref(name));
  const key = sql.join(column.key.map((name) => sql.ref(name)));
  const fromThere = after === undefined ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
  const { rows } = await sql<Record<string, Cell>>`
    select ${sql.join(names)}, workspace_id as of_workspace, ${selected} as encrypted
    from ${sql.table(column.table)} ${fromThere}
    order by ${key} limit ${limit}`.execute(db);
  return rows;
}

/** Replaces a value, unless it is another one by now. Returns whether it was replaced. */
export async function replaceValue<Tables>(
  db: Kysely<Tables>,
  column: EncryptedColumn,
  value: Pick<EncryptedValue, 'key' | 'value'>,
  replacement: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${replacement}
    where ${isValue(column, value)}`.execute(db);
  return numAffectedRows > 0n;
}

/** Deletes the row of a value, unless it is another one by now. Returns whether it was deleted. */
export async function deleteRow<Tables>(
  db: Kysely<Tables>,
  column: EncryptedColumn,
  value: Pick<EncryptedValue, 'key' | 'value'>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(column.table)} where ${isValue(column, value)}`.execute(db);
  return numAffectedRows > 0n;
}

function isValue(
  { key: names, column }: EncryptedColumn,
  { key, value }: Pick<EncryptedValue, 'key' | 'value'>,
) {
  const hasKey = names.map((name, index) => sql`${sql.ref(name)} = ${key[index]}`);
  return sql`${sql.join(hasKey, sql` and `)} and ${sql.ref(column)} = ${value}`;
}

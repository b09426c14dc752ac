import { type Kysely, sql } from 'kysely';
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

/** Whether any value of the column is encrypted under the key. */
export async function isKeyInUse<Tables>(
  db: Kysely<Tables>,
  column: EncryptedColumn,
  keyId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(column.table)}
    where ${sql.ref(column.column)} like ${`${prefixOf(keyId)}%`} limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the values that are not encrypted under a key, in the order of the primary key, from after `after` on. */
export async function valuesNotUnder<Tables>(
  db: Kysely<Tables>,
  column: EncryptedColumn,
  keyId: string,
  { after, limit }: { after?: readonly Cell[] | undefined; limit: number },
): Promise<EncryptedValue[]> {
  const names = [...column.key, ...column.bound];
  const key = sql.join(column.key.map((name) => sql.ref(name)));
  const fromThere = after === undefined ? sql`` : sql`and (${key}) > (${sql.join(after)})`;
  const { rows } = await sql<Record<string, Cell>>`
    select ${sql.join(names.map((name) => sql.ref(name)))}, ${sql.ref(column.column)} as encrypted
    from ${sql.table(column.table)}
    where ${sql.ref(column.column)} not like ${`${prefixOf(keyId)}%`} ${fromThere}
    order by ${key} limit ${limit}`.execute(db);
  return rows.map((row) => {
    const cells = names.map((name) => row[name] ?? null);
    return {
      key: cells.slice(0, column.key.length),
      value: String(row.encrypted),
      additionalData: column.additionalData(cells),
      workspaceId: String(row.workspace_id),
      area: column.area(cells),
    };
  });
}

export async function replaceValue<Tables>(
  db: Kysely<Tables>,
  column: EncryptedColumn,
  key: readonly Cell[],
  value: string,
): Promise<void> {
  const hasKey = column.key.map((name, index) => sql`${sql.ref(name)} = ${key[index]}`);
  await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${value}
    where ${sql.join(hasKey, sql` and `)}`.execute(db);
}

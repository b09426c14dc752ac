import { type Kysely, sql } from 'kysely';
import { phoneKeyAdditionalData } from './phone-hashes.ts';
import type { Schema } from '../schema.ts';
import { chunkAdditionalData, rejectedRowAdditionalData, textAdditionalData } from '../campaigns/additional-data.ts';
import { suppressionAdditionalData } from './aad-suppression.ts';
import { type AdditionalData, prefixOf } from './cipher.ts';

type Cell = string | number | null;

/** A column whose values are encrypted, or null. */
interface EncryptedColumn {
  table: keyof Schema;
  column: string;
  /** The primary key. */
  key: readonly string[];
  /** What else the ciphertext is bound to. */
  bound: readonly string[];
  /** Takes the key and what is bound, in this order. */
  place(cells: readonly Cell[]): AdditionalData;
  /** What a person calls it, of the same. */
  area(cells: readonly Cell[]): string;
}

/** One value as it lies there. */
export interface EncryptedValue {
  /** The values of the primary key. */
  key: readonly Cell[];
  value: string;
  place: AdditionalData;
  workspaceId: string;
  area: string;
}

/** Every column in which something encrypted lies. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  {
    table: 'keyv',
    column: 'value',
    key: ['workspace_id', 'area', 'key'],
    bound: ['expires'],
    place: (cells) => cells,
    area: ([, area]) => String(area),
  },
  {
    table: 'number_key',
    column: 'key',
    key: ['workspace_id'],
    bound: [],
    place: ([workspaceId]) => phoneKeyAdditionalData(String(workspaceId)),
    area: () => 'key of the number search',
  },
  {
    table: 'suppression',
    column: 'number',
    key: ['workspace_id', 'hash'],
    bound: [],
    place: ([workspaceId, hash]) => suppressionAdditionalData(String(workspaceId), String(hash)),
    area: () => 'do-not-contact list',
  },
  {
    table: 'campaign',
    column: 'text',
    key: ['sequence'],
    bound: ['workspace_id', 'id'],
    place: ([, workspaceId, id]) => textAdditionalData(String(workspaceId), String(id)),
    area: ([, , id]) => `text of campaign ${id}`,
  },
  {
    table: 'campaign_chunk_content',
    column: 'value',
    key: ['campaign', 'number'],
    bound: ['workspace_id'],
    place: ([campaign, number, workspaceId]) =>
      chunkAdditionalData(String(workspaceId), Number(campaign), Number(number)),
    area: () => 'recipients of a campaign',
  },
  {
    table: 'campaign_rejected_row',
    column: 'value',
    key: ['campaign', 'number'],
    bound: ['workspace_id'],
    place: ([campaign, number, workspaceId]) =>
      rejectedRowAdditionalData(String(workspaceId), Number(campaign), Number(number)),
    area: () => 'rows left out of a campaign',
  },
];

/** Whether anything in the column lies under the key. */
export async function isUnder(db: Kysely<Schema>, column: EncryptedColumn, keyId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(column.table)}
    where ${sql.ref(column.column)} like ${`${prefixOf(keyId)}%`} limit 1`.execute(db);
  return rows.length > 0;
}

/** The first values after a key, in its order, that do not lie under an encryption key. */
export async function valuesNotUnder(
  db: Kysely<Schema>,
  column: EncryptedColumn,
  keyId: string,
  { after, limit }: { after?: readonly Cell[] | undefined; limit: number },
): Promise<EncryptedValue[]> {
  const names = [...column.key, ...column.bound];
  const key = sql.join(column.key.map((name) => sql.ref(name)));
  const further = after === undefined ? sql`` : sql`and (${key}) > (${sql.join(after)})`;
  const { rows } = await sql<Record<string, Cell>>`
    select ${sql.join(names.map((name) => sql.ref(name)))}, ${sql.ref(column.column)} as encrypted
    from ${sql.table(column.table)}
    where ${sql.ref(column.column)} not like ${`${prefixOf(keyId)}%`} ${further}
    order by ${key} limit ${limit}`.execute(db);
  return rows.map((row) => {
    const cells = names.map((name) => row[name] ?? null);
    return {
      key: cells.slice(0, column.key.length),
      value: String(row.encrypted),
      place: column.place(cells),
      workspaceId: String(row.workspace_id),
      area: column.area(cells),
    };
  });
}

export async function replaceValue(
  db: Kysely<Schema>,
  column: EncryptedColumn,
  key: readonly Cell[],
  value: string,
): Promise<void> {
  const isTheOne = column.key.map((name, index) => sql`${sql.ref(name)} = ${key[index]}`);
  await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${value}
    where ${sql.join(isTheOne, sql` and `)}`.execute(db);
}

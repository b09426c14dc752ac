import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Cell, CellKind, MovedTable } from './cells.ts';

/** As the driver returns them without loss, whatever it makes of numbers otherwise. */
const readers: Readonly<
  Record<
    CellKind,
    { select: (column: RawBuilder<unknown>) => RawBuilder<unknown>; toCell(value: unknown): Cell }
  >
> = {
  integer: { select: (column) => sql`${column}::text`, toCell: (value) => BigInt(String(value)) },
  double: {
    select: (column) => sql`float8send(${column})`,
    toCell: (value) => toBytes(value).readDoubleBE(0),
  },
  text: { select: (column) => column, toCell: String },
  bytes: { select: (column) => column, toCell: toBytes },
};

const arrayTypes: Readonly<Record<CellKind, string>> = {
  integer: 'bigint[]',
  double: 'double precision[]',
  text: 'text[]',
  bytes: 'bytea[]',
};

/** Reads at most `limit` rows of a table in the order of the primary key: those after a key, from the first without one. */
export async function readTargetRows(
  db: Kysely<Schema>,
  table: MovedTable,
  { after, limit }: { after: readonly Cell[] | undefined; limit: number },
): Promise<Cell[][]> {
  const columnAt = (index: number) => sql.ref(`moved.${table.columns[index]?.name ?? ''}`);
  const columns = table.columns.map(
    ({ kind }, index) => sql`${readers[kind].select(columnAt(index))} as ${sql.ref(`c${index}`)}`,
  );
  const key = sql.join(table.key.map(columnAt));
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columns)} from ${sql.table(table.name)} as moved
    ${after === undefined ? sql`` : sql`where (${key}) > (${sql.join(after)})`}
    order by ${key} limit ${sql.lit(limit)}`.execute(db);
  return rows.map((row) =>
    table.columns.map(({ kind }, index) => {
      const value = row[`c${index}`];
      return value === null ? null : readers[kind].toCell(value);
    }),
  );
}

/** Adds rows: each column is one parameter. */
export async function addTargetRows(
  transaction: Transaction<Schema>,
  table: MovedTable,
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const values = table.columns.map(({ kind }, index) => {
    const column = rows.map((row) => row[index] ?? null);
    return sql`${column}::${sql.raw(arrayTypes[kind])}`;
  });
  await sql`
    insert into ${sql.table(table.name)} (${sql.join(table.columns.map(({ name }) => sql.ref(name)))})
    select * from unnest(${sql.join(values)})`.execute(transaction);
}

function toBytes(value: unknown): Buffer {
  if (!Buffer.isBuffer(value)) {
    throw new TypeError('The driver returned no bytes');
  }
  return value;
}

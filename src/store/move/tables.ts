import { type Kysely, sql } from 'kysely';
import { StoreError } from '../errors.ts';
import type { Schema } from '../schema.ts';
import type { CellKind, MovedColumn, MovedTable } from './cells.ts';

/** What stays behind, with the reason. Every other table moves, so none can be forgotten. */
const notMoved: Readonly<Partial<Record<keyof Schema, string>>> = {
  installation: 'the move ends with it',
  instance: 'runs of the program on SQLite: they are dead',
  instance_mark: 'PostgreSQL alone has it',
  job: 'wakes: what they are about is looked at when an instance starts',
  store_move: 'this move',
};

const kinds: Readonly<Record<string, CellKind>> = {
  bigint: 'integer',
  'double precision': 'double',
  text: 'text',
  bytea: 'bytes',
};

/**
 * Returns the tables that move, once both databases have them with the same columns.
 *
 * @throws StoreError `bad_schema`
 */
export async function listMovedTables(source: Kysely<Schema>, target: Kysely<Schema>): Promise<MovedTable[]> {
  const columnsOfTarget = await readTargetColumns(target);
  const columnsOfSource = await readSourceColumns(source);
  const names = new Set([...columnsOfSource.keys(), ...columnsOfTarget.keys()]);
  return [...names]
    .filter((name) => !(name in notMoved))
    .sort()
    .map((name) => {
      const columns = columnsOfTarget.get(name) ?? [];
      const found = columnsOfSource.get(name) ?? [];
      const key = found
        .filter(({ pk }) => pk > 0)
        .sort((one, other) => one.pk - other.pk)
        .map(({ column }) => columns.findIndex((each) => each.name === column));
      const isSame =
        found.length === columns.length &&
        columns.every(({ name }) => found.some((each) => each.column === name));
      if (!isSame || key.length === 0) {
        throw new StoreError('bad_schema', `The table ${name} is another one in SQLite than in PostgreSQL.`);
      }
      return { name, columns, key };
    });
}

async function readTargetColumns(db: Kysely<Schema>): Promise<Map<string, MovedColumn[]>> {
  const { rows } = await sql<{ table: string; name: string; type: string }>`
    select t.table_name as "table", c.column_name as name, c.data_type as type
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_schema = current_schema() and t.table_type = 'BASE TABLE' and left(t.table_name, 7) <> 'kysely_'
    order by c.column_name collate "C"`.execute(db);
  const tables = new Map<string, MovedColumn[]>();
  for (const { table, name, type } of rows) {
    const kind = kinds[type];
    if (kind === undefined) {
      throw new StoreError('bad_schema', `The column ${table}.${name} of PostgreSQL has the type ${type}.`);
    }
    tables.set(table, [...(tables.get(table) ?? []), { name, kind }]);
  }
  return tables;
}

async function readSourceColumns(db: Kysely<Schema>): Promise<Map<string, { column: string; pk: number }[]>> {
  const { rows } = await sql<{ table: string; column: string; pk: number }>`
    select m.name as "table", c.name as "column", c.pk from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\' and m.name not like 'kysely\\_%' escape '\\'`.execute(
    db,
  );
  return Map.groupBy(rows, ({ table }) => table);
}

import { type Kysely, sql } from 'kysely';

/** What a version that does not know of a migration meets after it. Only on PostgreSQL. */
export interface TablesShape {
  /** By `table.column`. */
  columns: ReadonlyMap<string, Column>;
  /** `table: definition`, unique indexes among them. */
  constraints: ReadonlySet<string>;
}

interface Column {
  table: string;
  type: string;
  takesNull: boolean;
  /** Whether it has a value where a row is inserted without one. */
  fillsItself: boolean;
}

export async function readShape<Tables>(db: Kysely<Tables>): Promise<TablesShape> {
  const columns = await sql<Column & { name: string }>`
    select table_name as "table", column_name as name, data_type as type, is_nullable = 'YES' as "takesNull",
      column_default is not null or is_nullable = 'YES' or is_identity = 'YES' or is_generated = 'ALWAYS' as "fillsItself"
    from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`.execute(
    db,
  );
  const constraints = await sql<{ constraint: string }>`
    select conrelid::regclass || ': ' || pg_get_constraintdef(oid) as "constraint" from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u', 'x')
    union select tablename || ': ' || indexdef from pg_indexes where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'`.execute(
    db,
  );
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [`${column.table}.${name}`, column])),
    constraints: new Set(constraints.rows.map(({ constraint }) => constraint)),
  };
}

/** Returns what a version that knows only the tables before may fail at on those after. */
export function contractionsBetween(before: TablesShape, after: TablesShape): string[] {
  const tables = new Set([...before.columns.values()].map(({ table }) => table));
  const ofColumns = [...before.columns].flatMap(([name, column]) => {
    const now = after.columns.get(name);
    return now === undefined ? [`${name} is gone`] : narrowed(name, column, now);
  });
  const added = [...after.columns].filter(
    ([name, { table }]) => tables.has(table) && !before.columns.has(name),
  );
  const unfilled = added.filter(([, { fillsItself }]) => !fillsItself);
  const constraints = [...after.constraints].filter(
    (constraint) => !before.constraints.has(constraint) && tables.has(constraint.replace(/: .*/s, '')),
  );
  return [...ofColumns, ...unfilled.map(([name]) => `${name} has to be filled in`), ...constraints];
}

function narrowed(name: string, before: Column, after: Column): string[] {
  return [
    ...(after.type === before.type ? [] : [`${name} is ${after.type} instead of ${before.type}`]),
    ...(before.takesNull && !after.takesNull ? [`${name} takes no null`] : []),
    ...(before.fillsItself && !after.fillsItself ? [`${name} has to be filled in`] : []),
  ];
}

import { PostgresAdapter, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** Whether the database is PostgreSQL, for the few statements that SQLite spells differently. */
export function isPostgres(db: QueryExecutorProvider): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Returns the condition that the columns have the values of one of these rows, of which there is at least one. The rows are
 * one parameter, as JSON: a statement with hundreds of parameters takes longer to put together and to plan than to run.
 * Columns whose values are numbers here are integers.
 */
export function isOneOf(
  db: QueryExecutorProvider,
  columns: readonly RawBuilder<unknown>[],
  rows: readonly (readonly (string | number)[])[],
): RawBuilder<boolean> {
  const postgres = isPostgres(db);
  const cells = columns.map((_, index) => {
    const cell = sql`value ->> ${sql.lit(index)}`;
    return postgres && typeof rows[0]?.[index] === 'number' ? sql`(${cell})::bigint` : cell;
  });
  const list = JSON.stringify(rows);
  const from = postgres ? sql`json_array_elements(${list}::json) as list (value)` : sql`json_each(${list})`;
  return sql<boolean>`(${sql.join(columns)}) in (select ${sql.join(cells)} from ${from})`;
}

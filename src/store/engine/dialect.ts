import { PostgresAdapter, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** Whether the database is PostgreSQL, for the few statements that SQLite spells differently. */
export function isPostgres(db: QueryExecutorProvider): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Returns the condition that the columns equal one of these rows (at least one; numbers are integers). The rows are one
 * parameter, as JSON: a statement with hundreds of parameters takes longer to build and plan than to run.
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

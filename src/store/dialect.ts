import { PostgresAdapter, type QueryExecutorProvider } from 'kysely';

/** Whether the database is PostgreSQL, for the few statements that SQLite spells differently. */
export function isPostgres(db: QueryExecutorProvider): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

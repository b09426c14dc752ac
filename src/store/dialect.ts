import { type Kysely, PostgresAdapter } from 'kysely';

/** Whether the database is PostgreSQL, for the few statements that SQLite spells differently. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

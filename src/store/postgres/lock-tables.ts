import { type Kysely, sql } from 'kysely';
import { StoreError } from '../errors.ts';

/** Fifteen minutes, at most: a backup reads every table in one transaction. */
const defaultAttempts = 600;
/** How long others work freely between two attempts, in seconds. */
const pauseSeconds = 1;
/** How long others wait for an attempt, at most. */
const attemptMs = 500;

/**
 * Locks every table of this schema until the transaction ends, for one that changes their columns. Locked one after the
 * other, as they are changed, the transaction would wait for statements of other instances that wait for it, and PostgreSQL
 * would undo one of them. So it has all or none: an attempt ends before any statement has waited for as long as PostgreSQL takes
 * to look for such circles.
 *
 * @throws StoreError `locked` where others keep using them
 */
export async function lockTables<Tables>(db: Kysely<Tables>, attempts = defaultAttempts): Promise<void> {
  const { rows } = await sql<{ tables: string | null; patience: number }>`
    select (
      select string_agg(oid::regclass::text, ', ' order by oid)
      from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'member')
    ) as tables,
    (select setting::integer / 2 from pg_settings where name = 'deadlock_timeout') as patience`.execute(db);
  const [{ tables, patience } = { tables: null, patience: 0 }] = rows;
  if (tables === null) {
    return;
  }
  for (let attempt = 1; ; attempt += 1) {
    await sql`savepoint before_locks`.execute(db);
    try {
      await sql`set local statement_timeout = ${sql.lit(Math.max(1, Math.min(attemptMs, patience)))}`.execute(
        db,
      );
      await sql`lock table ${sql.raw(tables)} in access exclusive mode`.execute(db);
      await sql`set local statement_timeout = 0`.execute(db);
      return;
    } catch (error) {
      const isBusy = error instanceof StoreError && ['locked', 'conflict'].includes(error.fault);
      if (!isBusy) {
        throw error;
      }
      if (attempt === attempts) {
        throw new StoreError(
          'locked',
          'Another transaction has used the tables all the time, as a long backup does. Start again once it has ended.',
          { cause: error },
        );
      }
    }
    await sql`rollback to savepoint before_locks`.execute(db);
    await sql`select pg_sleep(${sql.lit(pauseSeconds)})`.execute(db);
  }
}

import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Clock } from '../../../lib/time/clock.ts';
import { isPostgres } from '../dialect.ts';

/**
 * Returns what gives the milliseconds since 1970 in a statement: by the database's own clock, which all instances share;
 * in SQLite, which one process has, by the clock of that.
 */
export function createDatabaseNow<Tables>(db: Kysely<Tables>, clock: Clock): () => Expression<number> {
  return isPostgres(db)
    ? () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : () => sql<number>`${clock().getTime()}`;
}

/** Reads the database's own clock, in milliseconds since 1970. Only on PostgreSQL. */
export async function readDatabaseClock<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  const [row] = rows;
  if (row === undefined) {
    throw new TypeError('The database returned no time');
  }
  return row.now;
}

/** Returns when a lease ends that is taken or renewed now, by the database's clock. */
export function leaseEnd(now: Expression<number>, ms: number) {
  return sql<Date>`${now} + ${sql.lit(ms)}`;
}

/**
 * Returns the condition that a lease of `ms` milliseconds is over. One that ends later than one of now was taken while the
 * clock was ahead.
 *
 * @param end the column with its end; the condition is not true where that is absent
 */
export function isLeaseOver(end: string, now: Expression<number>, ms: number): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.ref(end)} <= ${now} or ${sql.ref(end)} > ${leaseEnd(now, ms)})`;
}

import { type Expression, type SqlBool, sql } from 'kysely';

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

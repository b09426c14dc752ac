import { randomUUID } from 'node:crypto';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Timers } from '../../lib/time/timers.ts';
import type { Schema } from '../schema.ts';
import { hasKey, type NoticeKey, type NoticeRow } from './notices.ts';

/** How long a notice is left to its delivery, in milliseconds. One that stopped holds it up for no longer. */
const leaseMs = 15_000;
/** Several times before the lease ends. */
const renewMs = 5_000;

type IsOutboxRow = (eb: ExpressionBuilder<Schema, 'outbox'>) => Expression<SqlBool>;

/**
 * A notice in one delivery: of all instances, no other begins one meanwhile. The lease lies in the notice's row. After a
 * time in which the machine slept, or the program stood still, it may be another's.
 */
export interface LeasedNotice {
  row: NoticeRow;
  /** The condition that the row is still there, and of this delivery. */
  isHeld: IsOutboxRow;
  /** Renews the lease no more. */
  end(): void;
}

/** Returns the condition that no delivery of a row is in progress. */
export function isFree(now: Expression<number>): IsOutboxRow {
  return (eb) =>
    eb.or([
      eb('lease_until', 'is', null),
      eb('lease_until', '<=', now),
      // Taken while the clock was ahead.
      eb('lease_until', '>', sql<number>`${now} + ${sql.lit(leaseMs)}`),
    ]);
}

/** What is no more of any delivery. */
export const noLease = { lease: null, lease_until: null };

/** Takes a notice for one delivery, and renews the lease until that ends. */
export async function takeNotice(
  db: Kysely<Schema>,
  key: NoticeKey,
  { now, timers, closing }: { now: () => Expression<number>; timers: Timers; closing: AbortSignal },
): Promise<LeasedNotice | undefined> {
  const lease = randomUUID();
  const leaseUntil = () => sql<number>`${now()} + ${sql.lit(leaseMs)}`;
  const row = await db
    .updateTable('outbox')
    .set({ lease, lease_until: leaseUntil() })
    .where(hasKey(key))
    .where(isFree(now()))
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) {
    return undefined;
  }
  const isHeld: IsOutboxRow = (eb) => eb.and([hasKey(key)(eb), eb('lease', '=', lease)]);
  const end = new AbortController();
  const ended = AbortSignal.any([end.signal, closing]);

  async function renew(): Promise<void> {
    for (;;) {
      await timers.sleep(renewMs, ended);
      if (ended.aborted) {
        return;
      }
      // Where that fails for so long that another takes it, `isHeld` holds no more.
      await db
        .updateTable('outbox')
        .set({ lease_until: leaseUntil() })
        .where(isHeld)
        .execute()
        .catch(() => {});
    }
  }

  void renew();
  return { row, isHeld, end: () => end.abort() };
}

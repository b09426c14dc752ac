import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Store } from '../../../src/store/store.ts';

/**
 * Holds the rows that a statement locks on PostgreSQL while the actions begin, each once the one before waits for a lock.
 * Then lets them go on, and resolves when they have ended.
 */
export async function whileLocked(
  { db }: Pick<Store, 'db'>,
  locking: RawBuilder<unknown>,
  actions: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const results: Promise<unknown>[] = [];
  await db.transaction().execute(async (transaction) => {
    await locking.execute(transaction);
    for (const [index, action] of actions.entries()) {
      results.push(action());
      // Over another connection: within a transaction, the view would stay as it was first seen.
      await untilWaiting(db, index + 1);
    }
  });
  await Promise.all(results);
}

/** Resolves once `count` statements wait for locks. */
async function untilWaiting<Tables>(db: Kysely<Tables>, count: number): Promise<void> {
  for (let waiting = 0; waiting < count; ) {
    const { rows } = await sql<{ waiting: string }>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    waiting = Number(rows[0]?.waiting);
  }
}

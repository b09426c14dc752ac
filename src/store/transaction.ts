import type { Kysely, Transaction } from 'kysely';
import { StoreError } from './errors.ts';

/** How often a transaction is made again that others kept undoing. */
const maxAttempts = 5;

/**
 * Performs `work` in a transaction. On PostgreSQL, where transactions run beside each other, one that was undone because
 * two waited for each other is made again: so `work` may do nothing but what is undone with it.
 */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const isUndone = error instanceof StoreError && error.fault === 'conflict';
      if (!isUndone || attempt === maxAttempts) {
        throw error;
      }
    }
  }
}

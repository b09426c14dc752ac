import type { Kysely, Transaction } from 'kysely';
import { StoreError } from './errors.ts';

/** How often a transaction is made again that others kept undoing. */
const maxAttempts = 5;

/**
 * Performs `work` in a transaction. PostgreSQL may undo it after a deadlock and it is repeated: it may have no other effects.
 */
export function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return unlessUndone(() => db.transaction().execute(work));
}

/** Performs a transaction, repeating it if PostgreSQL undid it. */
export async function unlessUndone<Result>(perform: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await perform();
    } catch (error) {
      const isUndone = error instanceof StoreError && error.fault === 'conflict';
      if (!isUndone || attempt === maxAttempts) {
        throw error;
      }
    }
  }
}

/** Runs `work` in a transaction, which stays only where its result is to be kept. */
export async function orRollBack<Tables, Result>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  isKept: (result: Result) => boolean,
): Promise<Result> {
  let result: { value: Result } | undefined;
  try {
    return await inTransaction(db, async (transaction) => {
      const value = await work(transaction);
      if (!isKept(value)) {
        result = { value };
        throw new RolledBack();
      }
      return value;
    });
  } catch (error) {
    if (error instanceof RolledBack && result !== undefined) {
      return result.value;
    }
    throw error;
  }
}

class RolledBack extends Error {}

import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';

/** Runs `work` in a transaction, which stays only where its result is to be kept. */
export async function orRollBack<Result>(
  db: Kysely<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
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

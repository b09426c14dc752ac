import assert from 'node:assert/strict';
import { Refusal, type RefusalReason } from '../../src/services/refusal.ts';

/** Resolves with the result, or the reason if it was refused. */
export async function orReason<T>(work: Promise<T>): Promise<T | RefusalReason> {
  return work.catch((error: unknown) => {
    if (error instanceof Refusal) {
      return error.reason;
    }
    throw error;
  });
}

/** Resolves with the reason for the refusal. Throws if there was none. */
export async function reasonOf(work: Promise<unknown>): Promise<RefusalReason> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Refusal, 'it was not refused');
  return error.reason;
}

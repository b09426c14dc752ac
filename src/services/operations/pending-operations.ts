import type { Intent } from '../../store/operations/operation.ts';
import type { SpendResult } from './operations.ts';

export type PendingResult = Exclude<SpendResult, { kind: 'not_connected' }>;

type PendingKey = Pick<Intent, 'workspaceId' | 'key'>;

/**
 * The sends and cancellations that this instance is performing. They share their result without asking the database; those
 * of other instances meet them in the ledger.
 */
export interface PendingOperations {
  /** Of concurrent sends and cancellations under one key, only the first runs; the others get its result. */
  run(key: PendingKey, work: () => Promise<PendingResult>): Promise<PendingResult>;
  find(key: PendingKey): Promise<PendingResult> | undefined;
}

export function createPendingOperations(): PendingOperations {
  const pending = new Map<string, Promise<PendingResult>>();
  const nameOf = ({ workspaceId, key }: PendingKey) => JSON.stringify([workspaceId, key]);

  return {
    async run(key, work) {
      const name = nameOf(key);
      const current = pending.get(name);
      if (current !== undefined) {
        const result = await current;
        return result.kind === 'performed' ? { ...result, first: false } : result;
      }
      const running = work().finally(() => pending.delete(name));
      pending.set(name, running);
      return running;
    },

    find: (key) => pending.get(nameOf(key)),
  };
}

import type { Delay } from '../lib/background-delay.ts';
import { StoreError } from './errors.ts';

const retryAfterMs = 1_000;

/**
 * Makes a write whose content is known to this process alone, such as the outcome of a request. Throws the error of the
 * first attempt; the write is then retried every second in the background, until it succeeds or the database is closed.
 */
export type RetryWrite = (write: () => Promise<unknown>) => Promise<void>;

export function createRetryWrite(delay: Delay): RetryWrite {
  async function retry(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      await delay(retryAfterMs);
      try {
        await write();
        return;
      } catch (error) {
        if (error instanceof StoreError && error.fault === 'closed') {
          return;
        }
      }
    }
  }

  return async (write) => {
    try {
      await write();
    } catch (error) {
      void retry(write);
      throw error;
    }
  };
}

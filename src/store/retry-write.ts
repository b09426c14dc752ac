import { retryDelays } from '../lib/time/retry-delays.ts';
import type { Timers } from '../lib/time/timers.ts';

/**
 * Makes a write whose content is known to this process alone, such as the outcome of a request. Throws the error of the
 * first attempt; the write is then retried every second in the background, until it succeeds or the database is closed.
 */
export type RetryWrite = (write: () => Promise<unknown>) => Promise<void>;

/** @param closing aborted when the database is closed */
export function createRetryWrite(timers: Timers, closing: AbortSignal): RetryWrite {
  async function retry(write: () => Promise<unknown>): Promise<void> {
    while (!closing.aborted) {
      await timers.sleep(retryDelays.write.firstMs, closing);
      try {
        await write();
        return;
      } catch {
        // Retried.
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

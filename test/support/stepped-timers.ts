import type { Timers } from '../../src/lib/time/timers.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';

export interface SteppedTimers extends Timers {
  /** Lets `ms` milliseconds pass: ends the sleeps that are over by then, in order, each before the next. */
  advance(ms: number): Promise<void>;
  /** How many sleeps have not ended yet. */
  pending(): number;
}

/** Timers that stand still until the test advances them. Sleeps of less than `from` milliseconds last as long as they say. */
export function steppedTimers({ from = 0 }: { from?: number } = {}): SteppedTimers {
  let now = 0;
  const sleeps = new Set<{ until: number; end: () => void }>();

  const timers: SteppedTimers = {
    // Short sleeps go by the machine's clock, and so does the time between them.
    elapsed: () => (from > 0 ? systemTimers.elapsed() + now : now),

    sleep(ms, signal) {
      if (ms < from) {
        return systemTimers.sleep(ms, signal);
      }
      if (signal?.aborted) {
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const end = () => {
          sleeps.delete(sleep);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const sleep = { until: now + ms, end };
        sleeps.add(sleep);
        signal?.addEventListener('abort', end, { once: true });
      });
    },

    async advance(ms) {
      const target = now + ms;
      for (;;) {
        const [next] = [...sleeps]
          .filter(({ until }) => until <= target)
          .sort((one, other) => one.until - other.until);
        if (next === undefined) {
          break;
        }
        now = Math.max(now, next.until);
        next.end();
        // What waited for it runs, and may sleep again within the same step.
        await new Promise(setImmediate);
      }
      now = target;
    },

    pending: () => sleeps.size,
    bound: (ms, signal) => timers.sleep(ms, signal),
  };
  return timers;
}

/**
 * Lets time pass in steps until a promise settles, and returns what it resolves to: for what waits several times, or for
 * other things besides time.
 */
export async function advanceUntil<T>(promise: Promise<T>, step: () => Promise<void>): Promise<T> {
  let settled = false;
  promise
    .catch(() => {})
    .finally(() => {
      settled = true;
    });
  while (!settled) {
    await step();
    // Requests and writes get some real time between the steps, or the time of the test would outrun them.
    await systemTimers.sleep(5);
  }
  return promise;
}

import type { Stopwatch } from './clock.ts';

/** Waiting, passed in wherever something is done later, so that no test waits for real time. */
export interface Timers {
  /** Milliseconds, with fractions, by the monotonic clock that sleeps go by. */
  elapsed: Stopwatch;
  /** Resolves after `ms` milliseconds, soon where that is past, or as soon as `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** As `sleep`, for how long something else may take. A test that hurries what the program waits for leaves these alone. */
  bound(ms: number, signal: AbortSignal): Promise<void>;
}

/** Unlike `node:timers/promises`, ending early is not an error. */
const sleep: Timers['sleep'] = (ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, ms));
    signal?.addEventListener('abort', end, { once: true });
  });

/** Passed to `abort` where time no longer matters: without a reason, each call makes an `AbortError`. */
export const settledInTime = 'settled in time';

export const systemTimers: Timers = { elapsed: () => performance.now(), sleep, bound: sleep };

import type { Stopwatch } from './clock.ts';

/** Delays, intervals and the clock they go by. Passed in wherever something waits, so that a test can move time. */
export interface Timers {
  /** Milliseconds by a monotonic clock, with fractions. */
  elapsed: Stopwatch;
  /** Calls `action` once, after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, action: () => void): () => void;
  /** Calls `action` every `ms` milliseconds. Returns a function that stops the calls. */
  every(ms: number, action: () => void): () => void;
}

export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  every(ms, action) {
    const timer = setInterval(action, ms);
    return () => clearInterval(timer);
  },
};

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
export function sleep({ after }: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const cancel = after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    const stop = () => {
      cancel();
      resolve();
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

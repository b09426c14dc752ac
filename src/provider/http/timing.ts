/** Clock, timers and randomness, passed in so that a test controls them. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds by a monotonic clock; deadlines are measured by it. */
  elapsed(): number;
  /** Runs `action` after `milliseconds`. Returns a function that cancels it. */
  after(milliseconds: number, action: () => void): () => void;
  /** At least 0, below 1. */
  random(): number;
}

export const systemTiming: Timing = {
  now: Date.now,
  elapsed: () => performance.now(),
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/** Resolves after `milliseconds`, or as soon as the signal is aborted. */
export function delay(milliseconds: number, signal: AbortSignal, timing: Timing): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const stop = () => {
      cancel();
      resolve();
    };
    const cancel = timing.after(milliseconds, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Time and chance as the transport sees them, passed in so that a test can hold both still. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds by a clock that nobody can set: what a deadline goes by. */
  elapsed(): number;
  /** Runs `action` after `milliseconds`; the function it returns calls that off. */
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

/** Waits, or stops waiting as soon as the signal fires. */
export function pause(milliseconds: number, signal: AbortSignal, timing: Timing): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const stop = () => {
      callOff();
      resolve();
    };
    const callOff = timing.after(milliseconds, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

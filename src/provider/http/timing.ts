import { type AbortReason, abortReasonOf } from './exchange.ts';

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

/**
 * Starts a deadline of `milliseconds` that also follows the caller's signal, which may have an earlier deadline.
 * Aborts the work instead of only ceasing to wait for it, so a request that has not left never leaves.
 */
export function startDeadline(milliseconds: number, timing: Timing, caller?: AbortSignal) {
  const controller = new AbortController();
  const abort = (reason: AbortReason) => controller.abort(reason);
  const follow = () => caller && abort(abortReasonOf(caller));
  const cancelTimer = timing.after(milliseconds, () => abort('timed_out'));
  caller?.addEventListener('abort', follow, { once: true });
  if (caller?.aborted) {
    follow();
  }
  return {
    /** Aborted with an `AbortReason` at the deadline, or as soon as the caller's signal is. */
    signal: controller.signal,
    /** Cancels the timer and stops listening to the caller's signal. To be called when the request has ended. */
    clear() {
      cancelTimer();
      caller?.removeEventListener('abort', follow);
    },
  };
}

/** Resolves as `work` does, or to `undefined` as soon as the signal is aborted. The work itself continues. */
export function raceWithSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) {
      stop();
    }
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

import { type AbortReason, abortReasonOf } from './exchange.ts';
import type { Timing } from './timing.ts';

export interface RequestDeadline {
  /** Aborted with an `AbortReason` at the deadline, or as soon as the caller's signal is. */
  readonly signal: AbortSignal;
  /** Cancels the timer and stops listening to the caller's signal. To be called when the request has ended. */
  clear(): void;
}

/**
 * Starts a deadline of `milliseconds` that also follows the caller's signal, which may have an earlier deadline.
 * Aborts the work instead of only ceasing to wait for it, so a request that has not left never leaves.
 */
export function startDeadline(milliseconds: number, timing: Timing, caller?: AbortSignal): RequestDeadline {
  const controller = new AbortController();
  const abort = (reason: AbortReason) => controller.abort(reason);
  const follow = () => caller && abort(abortReasonOf(caller));
  const cancelTimer = timing.after(milliseconds, () => abort('timed_out'));
  caller?.addEventListener('abort', follow, { once: true });
  if (caller?.aborted) {
    follow();
  }
  return {
    signal: controller.signal,
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

import { type AbortReason, abortReasonOf } from './exchange.ts';
import type { Timing } from './timing.ts';

/** The end that is set to a call. */
export interface RequestDeadline {
  /** Aborted with a `StopReason` when the time is up, or as soon as the caller's own signal is. */
  readonly signal: AbortSignal;
  /** To be called when the call is over. */
  clear(): void;
}

/** Gives a call so many milliseconds; inside of one that has its own deadline, what is left of those. */
export function startDeadline(milliseconds: number, timing: Timing, caller?: AbortSignal): RequestDeadline {
  const stopper = new AbortController();
  const stop = (reason: AbortReason) => stopper.abort(reason);
  const follow = () => caller && stop(abortReasonOf(caller));
  const callOff = timing.after(milliseconds, () => stop('timed_out'));
  caller?.addEventListener('abort', follow, { once: true });
  if (caller?.aborted) {
    follow();
  }
  return {
    signal: stopper.signal,
    clear() {
      callOff();
      caller?.removeEventListener('abort', follow);
    },
  };
}

/** Waits for something that goes on without us: `undefined` as soon as the signal fires. */
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

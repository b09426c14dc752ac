import { systemTimers, type Timers } from './timers.ts';

/**
 * Calls `run` at once and then every `ms` milliseconds; a run that takes longer delays the next one, so that no two
 * overlap. An error goes to `onError`, and the interval goes on. Returns a stop function that aborts the signal and
 * waits for the current run.
 */
export function startInterval(options: {
  ms: number;
  run: (signal: AbortSignal) => Promise<void>;
  onError: (error: unknown) => void;
  timers?: Timers | undefined;
}): () => Promise<void> {
  const { ms, run, onError, timers = systemTimers } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function runRepeatedly(): Promise<void> {
    while (!signal.aborted) {
      await Promise.all([run(signal).catch(onError), timers.sleep(ms, signal)]);
    }
  }

  const stopped = runRepeatedly();
  return () => {
    stopping.abort();
    return stopped;
  };
}

/**
 * Calls `renew` every `ms` milliseconds, so that a lease lasts as long as what it is taken for. An error is ignored: the next
 * call follows, and a lease that has ended meanwhile is for others to take. Returns a stop function that waits for the
 * current call. It also stops when `signal` is aborted.
 */
export function keepRenewed(
  renew: () => Promise<unknown>,
  { ms, timers, signal }: { ms: number; timers: Timers; signal?: AbortSignal | undefined },
): () => Promise<void> {
  const stopping = new AbortController();
  const ended = AbortSignal.any([stopping.signal, ...(signal === undefined ? [] : [signal])]);

  async function renewRepeatedly(): Promise<void> {
    await timers.sleep(ms, ended);
    while (!ended.aborted) {
      await renew().catch(() => {});
      await timers.sleep(ms, ended);
    }
  }

  const stopped = renewRepeatedly();
  return () => {
    stopping.abort();
    return stopped;
  };
}

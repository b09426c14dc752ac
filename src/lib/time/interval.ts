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

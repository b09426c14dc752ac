import { setTimeout } from 'node:timers/promises';

/** Waiting, passed in wherever something is done later, so that no test waits for real time. */
export interface Timers {
  /** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemTimers: Timers = {
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
};

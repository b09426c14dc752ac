import { setTimeout } from 'node:timers/promises';
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

const sleep: Timers['sleep'] = (ms, signal) =>
  setTimeout(Math.max(0, ms), undefined, { signal }).catch(() => {});

export const systemTimers: Timers = { elapsed: () => performance.now(), sleep, bound: sleep };

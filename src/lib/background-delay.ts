import { setTimeout } from 'node:timers/promises';

/** Resolves after `ms` milliseconds. Passed in wherever something is retried later, so that no test waits for real time. */
export type Delay = (ms: number) => Promise<void>;

/** Does not keep the process running. */
export const backgroundDelay: Delay = (ms) => setTimeout(ms, undefined, { ref: false });

import { setImmediate } from 'node:timers/promises';

/** Called between the steps of long work. Returns `undefined` where there is no need to wait yet. */
export type YieldToEventLoop = () => Promise<void> | undefined;

/** In milliseconds: how long work may run without a pause, less than a user who types a command would notice. */
const maxMs = 1;

/** Resolves when the work that asked last may go on. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Returns a function that lets other work run once this work has run for a millisecond. Of concurrent work, each turn of
 * the event loop resumes one, so that many delay other requests no longer than one does.
 */
export function createYield(now: () => number = () => performance.now()): YieldToEventLoop {
  let since = now();
  const resume = () => {
    since = now();
  };
  return () => {
    if (now() - since < maxMs) {
      return undefined;
    }
    lastTurn = lastTurn.then(() => setImmediate());
    return lastTurn.then(resume);
  };
}

import { setImmediate } from 'node:timers/promises';

/** Called between the steps of long work. Undefined: there is nothing to wait for yet. */
export type YieldToEventLoop = () => Promise<void> | undefined;

/** How long work may go on at a stretch, in milliseconds: less than a person who types a command would notice. */
const maxMs = 1;

/** Resolves when the work that asked last may go on. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Returns what lets everything else run once the work has gone on for a millisecond. Of works that go on at the same
 * time, each turn of the event loop has one: many of them hold up others no longer than one does.
 */
export function createYield(now: () => number = () => performance.now()): YieldToEventLoop {
  let since = now();
  const goOn = () => {
    since = now();
  };
  return () => {
    if (now() - since < maxMs) {
      return undefined;
    }
    lastTurn = lastTurn.then(() => setImmediate());
    return lastTurn.then(goOn);
  };
}

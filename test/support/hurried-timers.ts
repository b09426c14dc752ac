import { systemTimers, type Timers } from '../../src/lib/time/timers.ts';

/** How many seconds pass for the app in one of the machine's. */
const speed = 10;

/**
 * Timers for what the app waits for by its own choice: updates of a message, pauses between attempts, rounds. What bounds the
 * work of others, such as Slack's three seconds, lasts as long as it says.
 */
export const hurriedTimers: Timers = {
  elapsed: () => systemTimers.elapsed() * speed,
  sleep: (ms, signal) => systemTimers.sleep(ms / speed, signal),
  bound: systemTimers.bound,
};

/** For a test that has the app do much, and nobody late: on a busy machine, its Slack and provider are slow as well. */
export const patientTimers: Timers = {
  ...hurriedTimers,
  bound: (ms, signal) => systemTimers.bound(ms * 10, signal),
};

/** Returns the present moment. Passed in wherever time matters, so that a test can be at 21:00 in Lagos. */
export type Clock = () => Date;

/** Returns milliseconds by a clock that nobody can set. Only the difference of two readings has a meaning. */
export type Stopwatch = () => number;

export interface Time {
  /** For moments: due times, expiry, and times in records and on screens. */
  now: Clock;
  /** For durations. */
  elapsed: Stopwatch;
}

/** The time of the machine. */
export const machineTime: Time = { now: () => new Date(), elapsed: () => performance.now() };

import { uptime } from 'node:os';

/** Returns the present moment. Passed in wherever time matters, so that a test can be at 21:00 in Lagos. */
export type Clock = () => Date;

/** Returns milliseconds by a clock that nobody can set. Only the difference of two readings has a meaning. */
export type Stopwatch = () => number;

/** The two clocks of a machine. */
export interface MachineClocks {
  /** The time that the machine shows. It can be set, and leap. */
  wall: Clock;
  /** Milliseconds since the machine started, sleep included where the system counts it (Linux does). */
  uptime: Stopwatch;
}

export const machineClocks: MachineClocks = {
  wall: () => new Date(),
  uptime: () => uptime() * 1000,
};

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

/** In milliseconds: how long a reading of the uptime is carried on, and by how much the wall clock may then be out of step. */
const carriedOn = { longest: 100, tolerance: 2 };

/**
 * Returns the machine's uptime, which takes twenty times as long to read as other clocks. So a reading is carried on by the
 * clock of the process, while the wall clock agrees with it: where the machine slept meanwhile, only that one has gone on.
 */
export function createUptime({
  read,
  monotonic,
  wall,
}: Record<'read' | 'monotonic' | 'wall', Stopwatch>): Stopwatch {
  let last = { uptime: Number.NEGATIVE_INFINITY, monotonic: Number.NEGATIVE_INFINITY, wall: 0 };
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    const now = { monotonic: monotonic(), wall: wall() };
    const passed = now.monotonic - last.monotonic;
    const isInStep = Math.abs(now.wall - last.wall - passed) <= carriedOn.tolerance;
    if (passed > carriedOn.longest || !isInStep) {
      last = { ...now, uptime: read() };
    }
    // A reading may be coarse, and behind what the one before was carried on to.
    latest = Math.max(latest, last.uptime + now.monotonic - last.monotonic);
    return latest;
  };
}

export const machineClocks: MachineClocks = {
  wall: () => new Date(),
  uptime: createUptime({ read: () => uptime() * 1000, monotonic: () => performance.now(), wall: Date.now }),
};

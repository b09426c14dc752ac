import type { MachineClocks, Stopwatch } from './clock.ts';
import { startInterval } from './interval.ts';
import type { Timers } from './timers.ts';

/** The clocks of an instance that shares its data with others: they all go by the clock of the database. */
export interface SharedClocks extends MachineClocks {
  /** Reads the database's clock now, and then every ten seconds. Rejects where the first reading fails. Returns a stop function. */
  follow(
    readMs: () => Promise<number>,
    options: { timers: Timers; onError: (error: unknown) => void },
  ): Promise<() => Promise<void>>;
}

const everyMs = 10_000;
/** A reading that took longer says too little. */
const maxRoundTripMs = 1_000;
/** In milliseconds: smaller differences are those of the way there and back. */
const tolerance = 200;

/**
 * Until `follow` is called, and where it never is, these are the machine's own clocks. From then on `wall` is the database's
 * clock, carried on by the machine's uptime between two readings and while the database is away: the machine's own may be set,
 * and does not matter any more.
 */
export function createSharedClocks(machine: MachineClocks): SharedClocks {
  /** What the database's clock showed when the uptime was 0. */
  let origin: number | undefined;

  async function read(readMs: () => Promise<number>, elapsed: Stopwatch): Promise<void> {
    const from = elapsed();
    const shown = await readMs();
    const roundTrip = elapsed() - from;
    const seen = shown + roundTrip / 2 - machine.uptime();
    if (origin === undefined || (roundTrip <= maxRoundTripMs && Math.abs(seen - origin) > tolerance)) {
      origin = seen;
    }
  }

  return {
    wall: () => (origin === undefined ? machine.wall() : new Date(origin + machine.uptime())),
    uptime: machine.uptime,
    async follow(readMs, { timers, onError }) {
      const readNow = () => read(readMs, timers.elapsed);
      await readNow();
      return startInterval({ ms: everyMs, run: readNow, onError, timers });
    },
  };
}

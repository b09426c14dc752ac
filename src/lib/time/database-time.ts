import type { Stopwatch, Time } from './clock.ts';
import { startInterval } from './interval.ts';
import type { Timers } from './timers.ts';

const everyMs = 10_000;
/** A reading that took longer says too little. */
const maxRoundTripMs = 1_000;
/** In milliseconds: a smaller difference may be just the round trip. */
const tolerance = 200;

/**
 * The time of the database that several instances share, so that they all start and delete at the same moment. Its clock
 * is read now and then every ten seconds. In between, and while the database is away, the stopwatch carries it on.
 *
 * @returns `stop` ends the readings
 * @param readMs reads the database's clock, in milliseconds since 1970
 * @throws what the first reading throws
 */
export async function followDatabaseTime(
  readMs: () => Promise<number>,
  { elapsed, timers }: { elapsed: Stopwatch; timers: Timers },
): Promise<{ time: Time; stop: () => Promise<void> }> {
  /** Returns what the database's clock showed when the stopwatch was at 0, and how long the reading took. */
  async function read(): Promise<{ origin: number; tookMs: number }> {
    const from = elapsed();
    const shown = await readMs();
    const tookMs = elapsed() - from;
    return { origin: shown - from - tookMs / 2, tookMs };
  }

  let { origin } = await read();
  const stop = startInterval({
    ms: everyMs,
    timers,
    // The next one follows. Whether the database is away is said elsewhere.
    onError: () => {},
    async run() {
      const next = await read();
      if (next.tookMs <= maxRoundTripMs && Math.abs(next.origin - origin) > tolerance) {
        origin = next.origin;
      }
    },
  });
  return { time: { now: () => new Date(origin + elapsed()), elapsed }, stop };
}

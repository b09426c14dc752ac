import type { Clock, MachineClocks, Stopwatch } from './clock.ts';

/** What time it is, by a machine whose clock can leap. */
export interface Time {
  /** The present moment, as well as it is known: a leap of the machine's clock counts only once it has lasted. */
  now: Clock;
  elapsed: Stopwatch;
  /** The present moment, to start what is due or to call it missed. Undefined while the machine's clock is in doubt. */
  trustedNow(): Date | undefined;
  /** The present moment, to delete what has expired. Undefined while the machine's clock is in doubt. */
  trustedForDeletion(): Date | undefined;
  /** What the next run is to know, see `recall`. Undefined while the machine's clock is in doubt. */
  snapshot(): KnownTime | undefined;
  /** Takes up what the last run knew: while the machine has not been restarted since, nothing is in doubt. */
  restore(known: KnownTime): void;
}

/** One reading of both clocks, in milliseconds, and from what uptime on it may be acted on while they keep step. */
export interface KnownTime {
  wall: number;
  uptime: number;
  startFrom: number;
  deleteFrom: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** In milliseconds: what both clocks may differ by between two readings, such as by a leap second. */
const step = 2_000;
/** A clock that leapt, or that nothing is known of, has to keep step for so long before anything is started by it. */
const startAfter = minute;
/** Before anything is deleted by it: the second, where it leapt by more than a day. */
const deleteAfter = hour;
const deleteAfterFarLeap = day;

/**
 * Holds the machine's clock against its uptime, which nobody can set. While both keep step, the clock is believed. Where
 * it leaps, time goes on by the uptime: until the clock is back in step, as after a short leap, or has kept its new time
 * for a minute, as after it was put right. A leap that comes and goes between two readings harms nobody.
 *
 * @param doubted called when the clock leaps, with how far, in milliseconds
 */
export function createTime(
  { wall, uptime }: MachineClocks,
  doubted: (leap: number) => void = () => {},
): Time {
  /** What is believed, as of the last reading that kept step with it. */
  let believed: KnownTime | undefined;
  /** What the clock has shown since it last leapt; undefined while it is in step with what is believed. */
  let doubtful: KnownTime | undefined;
  /** The latest moment that the last run knew: it is not earlier now. */
  let past: number | undefined;

  function begin(reading: Reading, expected: number | undefined): KnownTime {
    const isFar = expected === undefined || Math.abs(reading.wall - expected) > day;
    return {
      ...reading,
      startFrom: reading.uptime + startAfter,
      deleteFrom: reading.uptime + (isFar ? deleteAfterFarLeap : deleteAfter),
    };
  }

  /** Reads both clocks, and says what time it is as well as is known. */
  function look(): number {
    const reading = { wall: wall().getTime(), uptime: uptime() };
    if (believed !== undefined && isInStep(believed, reading)) {
      believed = { ...believed, ...reading };
      doubtful = undefined;
      return reading.wall;
    }
    const expected = believed === undefined ? past : at(believed, reading.uptime);
    if (doubtful === undefined) {
      report(reading.wall, expected);
    }
    doubtful =
      doubtful !== undefined && isInStep(doubtful, reading)
        ? { ...doubtful, ...reading }
        : begin(reading, expected);
    if (reading.uptime >= doubtful.startFrom) {
      believed = doubtful;
      doubtful = undefined;
      return reading.wall;
    }
    return believed === undefined ? Math.max(reading.wall, past ?? 0) : at(believed, reading.uptime);
  }

  /** That time has passed since the last run is no leap. */
  function report(shown: number, expected: number | undefined): void {
    if (expected === undefined) {
      return;
    }
    if (believed !== undefined || shown < expected - step) {
      doubted(shown - expected);
    }
  }

  function trusted(): KnownTime | undefined {
    look();
    return doubtful === undefined ? believed : undefined;
  }

  look();
  return {
    now: () => new Date(look()),
    elapsed: uptime,
    trustedNow() {
      const time = trusted();
      return time && new Date(time.wall);
    },
    trustedForDeletion() {
      const time = trusted();
      return time !== undefined && time.uptime >= time.deleteFrom ? new Date(time.wall) : undefined;
    },
    snapshot: trusted,
    restore(known) {
      past = known.wall;
      const reading = { wall: wall().getTime(), uptime: uptime() };
      // A machine that was restarted, or another one, has been up for less, or is out of step with it.
      believed = reading.uptime >= known.uptime && isInStep(known, reading) ? known : undefined;
      doubtful = undefined;
      look();
    },
  };
}

type Reading = Pick<KnownTime, 'wall' | 'uptime'>;

/** What the clock shows at an uptime, if nobody sets it. */
function at(known: Reading, uptime: number): number {
  return known.wall + (uptime - known.uptime);
}

function isInStep(known: Reading, { wall, uptime }: Reading): boolean {
  return Math.abs(wall - at(known, uptime)) <= step;
}

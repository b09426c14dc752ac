import type { Clock, MachineClocks, Stopwatch } from './clock.ts';

/** The time by a machine whose clock can leap: a reading is trusted only while clock and uptime agree. */
export interface Time {
  /** Returns the best known time. A leap of the machine's clock counts only once it has lasted. */
  now: Clock;
  elapsed: Stopwatch;
  /** Returns the time for starting what is due or calling it missed. Undefined while the clock is in doubt. */
  trustedNow(): Date | undefined;
  /** Returns the time for deleting what has expired. Undefined while the clock is in doubt, or was until recently. */
  trustedForDeletion(): Date | undefined;
  /** Returns what `restore` needs in the next run. Undefined while the clock is in doubt. */
  snapshot(): KnownTime | undefined;
  /** Takes up the snapshot of the last run. If the machine has not restarted since, nothing is in doubt. */
  restore(known: KnownTime): void;
}

/** One reading of both clocks, and from which uptime on it is trusted if they keep step. All in milliseconds. */
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
const tolerance = 2_000;
/** How long a clock that leapt, or that nothing is known of, has to keep step before anything is started by it. */
const startAfter = minute;
/** The same before anything is deleted by it; longer where it leapt by more than a day. */
const deleteAfter = hour;
const deleteAfterFarLeap = day;

/**
 * Compares the machine's clock with its uptime, which nobody can set. While both keep step, the clock is trusted. When it
 * leaps, time goes on by the uptime until the clock is back in step, as after a short leap, or has kept its new time for
 * a minute, as after a correction. A leap that is undone between two readings has no effect.
 *
 * @param onLeap called when the clock leaps, with how far, in milliseconds
 */
export function createTime(
  { wall, uptime }: MachineClocks,
  onLeap: (leapMs: number) => void = () => {},
): Time {
  let state: ClockState = { trusted: undefined, doubted: undefined, earliest: undefined };

  const readClocks = (): Reading => ({ wall: wall().getTime(), uptime: uptime() });

  /** Reads both clocks, and returns the best known time. */
  function update(): number {
    const { state: next, now, leapMs } = compareClocks(state, readClocks());
    state = next;
    if (leapMs !== undefined) {
      onLeap(leapMs);
    }
    return now;
  }

  function snapshot(): KnownTime | undefined {
    update();
    return state.doubted === undefined ? state.trusted : undefined;
  }

  update();
  return {
    now: () => new Date(update()),
    elapsed: uptime,
    trustedNow() {
      const known = snapshot();
      return known && new Date(known.wall);
    },
    trustedForDeletion() {
      const known = snapshot();
      return known !== undefined && known.uptime >= known.deleteFrom ? new Date(known.wall) : undefined;
    },
    snapshot,
    restore(known) {
      const reading = readClocks();
      // A machine that was restarted, or another machine, has a lower uptime or is out of step with it.
      const isContinuous = reading.uptime >= known.uptime && isInStep(known, reading);
      state = { trusted: isContinuous ? known : undefined, doubted: undefined, earliest: known.wall };
      update();
    },
  };
}

/** What earlier readings say of the clock. */
interface ClockState {
  /** The last reading that was trusted. */
  trusted: KnownTime | undefined;
  /** The last reading since the clock leapt; undefined while the clock is in step with `trusted`. */
  doubted: KnownTime | undefined;
  /** The latest moment that the last run knew: the present is not earlier. */
  earliest: number | undefined;
}

/** Returns the best known time after a reading, and how far the clock leapt if it leapt just now. */
function compareClocks(
  { trusted, doubted, earliest }: ClockState,
  reading: Reading,
): { state: ClockState; now: number; leapMs?: number | undefined } {
  if (trusted !== undefined && isInStep(trusted, reading)) {
    const state = { trusted: { ...trusted, ...reading }, doubted: undefined, earliest };
    return { state, now: reading.wall };
  }
  const expected = trusted === undefined ? earliest : wallAt(trusted, reading.uptime);
  // Time that passed since the last run is no leap.
  const hasLeapt = trusted !== undefined || (expected !== undefined && reading.wall < expected - tolerance);
  const leapMs =
    doubted === undefined && expected !== undefined && hasLeapt ? reading.wall - expected : undefined;
  const latest =
    doubted !== undefined && isInStep(doubted, reading)
      ? { ...doubted, ...reading }
      : beginDoubt(reading, expected);
  if (reading.uptime >= latest.startFrom) {
    return { state: { trusted: latest, doubted: undefined, earliest }, now: reading.wall, leapMs };
  }
  const now = trusted === undefined ? Math.max(reading.wall, earliest ?? 0) : wallAt(trusted, reading.uptime);
  return { state: { trusted, doubted: latest, earliest }, now, leapMs };
}

function beginDoubt(reading: Reading, expected: number | undefined): KnownTime {
  const isFar = expected === undefined || Math.abs(reading.wall - expected) > day;
  return {
    ...reading,
    startFrom: reading.uptime + startAfter,
    deleteFrom: reading.uptime + (isFar ? deleteAfterFarLeap : deleteAfter),
  };
}

type Reading = Pick<KnownTime, 'wall' | 'uptime'>;

/** Returns what the clock shows at an uptime if nobody sets it. */
function wallAt(known: Reading, uptime: number): number {
  return known.wall + (uptime - known.uptime);
}

function isInStep(known: Reading, { wall, uptime }: Reading): boolean {
  return Math.abs(wall - wallAt(known, uptime)) <= tolerance;
}

import { z } from 'zod';
import { shownDay, shownDayFrom, shownTime } from './shown-time.ts';

/** A date and a time that a user chose, `YYYY-MM-DD` and `HH:mm`, in a time zone such as `Africa/Lagos`. */
export interface ChosenStart {
  date: string;
  time: string;
  zone: string;
}

export type ReadStart = { ok: true; at: Date } | { ok: false; reason: string };

const dateSchema = z.iso.date();
const timeSchema = z.iso.time({ precision: -1 });

const hour = 60 * 60_000;
const day = 24 * hour;

/**
 * Reads the moment that a user chose. A time that occurs twice, as clocks go back, is the first one; a time that is
 * skipped, as they go forward, is refused. The reason for a refusal is a sentence to show beside the field.
 */
export function readStart({ date, time, zone }: ChosenStart, now: Date): ReadStart {
  if (!isZone(zone)) {
    return { ok: false, reason: `“${zone}” isn’t a time zone.` };
  }
  if (!dateSchema.safeParse(date).success || !timeSchema.safeParse(time).success) {
    return { ok: false, reason: 'Choose a date and a time.' };
  }
  const shown = Date.parse(`${date}T${time}Z`);
  const [at] = candidatesFor(shown, zone)
    .filter((candidate) => clockAt(candidate, zone) === shown)
    .sort((one, other) => one - other);
  if (at === undefined) {
    const reason = `Clocks go forward then, so ${shownTime(new Date(shown))} does not exist that day in ${nameOf(zone)}: choose another time.`;
    return { ok: false, reason };
  }
  if (at <= now.getTime()) {
    return { ok: false, reason: `This time has passed: it’s now ${inZone(now, zone)}.` };
  }
  return { ok: true, at: new Date(at) };
}

/** In milliseconds: a suggested time does not pass while the form is filled in. */
const leastAhead = 5 * 60_000;

/** Returns the next full hour by the clocks of a zone, at least five minutes ahead. */
export function nextFullHour(now: Date, zone: string): Date {
  const earliest = Math.ceil((now.getTime() + leastAhead) / 1000) * 1000;
  const pastHour = clockAt(earliest, zone) % hour;
  return new Date(earliest + (pastHour === 0 ? 0 : hour - pastHour));
}

/** Returns the date and the time of a moment in a time zone, as `readStart` reads them. */
export function clockIn(at: Date, zone: string): Omit<ChosenStart, 'zone'> {
  const shown = localClock(at, zone).toISOString();
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) };
}

/**
 * Formats a moment: `15 Mar 2026, 8:00 AM WAT`, with `London time` or `UTC+05:30` for other zones.
 *
 * @param now where it is read at once: the day may then be `today`, and this year is left out
 */
export function inZone(at: Date, zone: string, now?: Date): string {
  const clock = localClock(at, zone);
  const day = now === undefined ? shownDay(clock) : shownDayFrom(localClock(now, zone), clock);
  return `${day}, ${shownTime(clock)} ${nameOf(zone)}`;
}

/** Returns the date and the time in a zone as if they were UTC. */
export function localClock(at: Date, zone: string): Date {
  return new Date(clockAt(at.getTime(), zone));
}

function nameOf(zone: string): string {
  if (zone === 'Africa/Lagos') {
    return 'WAT';
  }
  if (/^[+-]/.test(zone)) {
    return `UTC${zone}`;
  }
  const city = zone.split('/').at(-1) ?? zone;
  return zone.includes('/') ? `${city.replaceAll('_', ' ')} time` : city;
}

/** Whether this is a known time zone, such as `Africa/Lagos`. */
export function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/**
 * Returns the local time at a moment, as if it were UTC; both in milliseconds. Unlike this, date-fns-tz reads a moment in the
 * zone of the machine, and invents a time where clocks skip one.
 */
function clockAt(moment: number, zone: string): number {
  // Swedish formats dates as ISO 8601 does.
  const shown = new Date(moment).toLocaleString('sv-SE', { timeZone: zone });
  return Date.parse(`${shown.replace(' ', 'T')}Z`);
}

/** Returns when a day begins in a time zone, see `momentOf`. */
export const startOfDay = (date: string, zone: string): Date => momentOf(date, '00:00', zone);

/**
 * Returns the moment of a date and a time in a time zone: the first one where it occurs twice, as clocks go back; where
 * clocks skip it, as much later by the clock as they skip.
 *
 * @param date `YYYY-MM-DD`
 * @param time `HH:mm`
 */
export function momentOf(date: string, time: string, zone: string): Date {
  const shown = Date.parse(`${date}T${time}Z`);
  const candidates = candidatesFor(shown, zone);
  const exact = candidates.filter((moment) => clockAt(moment, zone) === shown);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates));
}

/** A day before and a day after, the offsets are those before and after any change of clocks on that day. */
const candidatesFor = (shown: number, zone: string): number[] =>
  [shown - day, shown + day].map((near) => shown - (clockAt(near, zone) - near));

/** Returns when the day after this one begins. */
export function endOfDay(date: string, zone: string): Date {
  return startOfDay(new Date(Date.parse(`${date}T00:00Z`) + day).toISOString().slice(0, 10), zone);
}

/** Formats a moment so that texts sort as times do: `2026-11-21 14:02`. */
export function sortableTime(at: Date, zone: string): string {
  return localClock(at, zone).toISOString().slice(0, 16).replace('T', ' ');
}

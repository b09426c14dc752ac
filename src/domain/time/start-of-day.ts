import { clockAt } from './start-time.ts';

const day = 24 * 60 * 60_000;

/**
 * Returns when a day begins in a time zone: at midnight or, where clocks skip it, at the first moment of that day.
 *
 * @param date `YYYY-MM-DD`
 */
export function startOfDay(date: string, zone: string): Date {
  const midnight = Date.parse(`${date}T00:00Z`);
  // A day before and a day after, the offsets are those before and after any change of clocks on that day.
  const [before, after] = [midnight - day, midnight + day].map(
    (near) => midnight - (clockAt(near, zone) - near),
  );
  const candidates = [before ?? midnight, after ?? midnight];
  const exact = candidates.filter((moment) => clockAt(moment, zone) === midnight);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates));
}

/** Returns when the day after this one begins. */
export function endOfDay(date: string, zone: string): Date {
  return startOfDay(new Date(Date.parse(`${date}T00:00Z`) + day).toISOString().slice(0, 10), zone);
}

/** Formats a moment so that texts sort as times do: `2026-11-21 14:02`. */
export function sortableTime(at: Date, zone: string): string {
  return new Date(clockAt(at.getTime(), zone)).toISOString().slice(0, 16).replace('T', ' ');
}

import { z } from 'zod';

/** A date and a time as a person chose them, `YYYY-MM-DD` and `HH:mm`, on the clocks of a zone such as `Africa/Lagos`. */
export interface ChosenStart {
  date: string;
  time: string;
  zone: string;
}

export type ReadStart = { ok: true; at: Date } | { ok: false; reason: string };

const dateSchema = z.iso.date();
const timeSchema = z.iso.time({ precision: -1 });

const day = 24 * 60 * 60_000;

/**
 * The moment a person chose. Where clocks go back and show a time twice, it is the first one; where they go forward and
 * skip it, there is none. The reason of a refusal is a sentence for beside the field.
 */
export function readStart({ date, time, zone }: ChosenStart, now: Date): ReadStart {
  if (!isZone(zone)) {
    return { ok: false, reason: `The time zone “${zone}” is not known.` };
  }
  if (!dateSchema.safeParse(date).success || !timeSchema.safeParse(time).success) {
    return { ok: false, reason: 'Choose a date and a time.' };
  }
  const shown = Date.parse(`${date}T${time}Z`);
  // Whatever the clocks do that day, they are a day before and a day after as they are before and after the change.
  const [at] = [shown - day, shown + day]
    .map((near) => shown - (clockAt(near, zone) - near))
    .filter((candidate) => clockAt(candidate, zone) === shown)
    .sort((one, other) => one - other);
  if (at === undefined) {
    const reason = `Clocks go forward then, so ${time} does not exist that day in ${nameOf(zone)}: choose another time.`;
    return { ok: false, reason };
  }
  if (at <= now.getTime()) {
    return { ok: false, reason: `This time has passed: it is ${inZone(now, zone)}.` };
  }
  return { ok: true, at: new Date(at) };
}

/** A moment for people: `Sun, 15 Mar 2026, 08:00 WAT`, `Sun, 15 Mar 2026, 07:00 London time`. */
export function inZone(at: Date, zone: string): string {
  const shown = at.toLocaleString('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return `${shown} ${nameOf(zone)}`;
}

function nameOf(zone: string): string {
  if (zone === 'Africa/Lagos') {
    return 'WAT';
  }
  const place = zone.split('/').at(-1) ?? zone;
  return zone.includes('/') ? `${place.replaceAll('_', ' ')} time` : place;
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/**
 * What clocks show at a moment, as though they were in UTC; both in milliseconds. Not by date-fns-tz, which takes a
 * moment for what clocks show, in the zone of the machine, and picks a time where there is none.
 */
function clockAt(moment: number, zone: string): number {
  // Swedes write dates as ISO 8601 does.
  const shown = new Date(moment).toLocaleString('sv-SE', { timeZone: zone });
  return Date.parse(`${shown.replace(' ', 'T')}Z`);
}

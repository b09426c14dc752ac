import { z } from 'zod';
import { momentOf } from './start-time.ts';

export const repeatUnits = ['day', 'week', 'month'] as const;

/** When a repeating campaign is sent, in local time of a time zone. */
export const repeatSchema = z.object({
  every: z.enum(repeatUnits),
  /** The date of the first run, `YYYY-MM-DD`. In a month without that day, the run is on the last day. */
  from: z.iso.date(),
  /** The date of the last possible run. */
  until: z.iso.date(),
  /** `HH:mm` */
  time: z.iso.time({ precision: -1 }),
});
export type Repeat = z.infer<typeof repeatSchema>;

/** In milliseconds. */
const day = 24 * 60 * 60_000;
/** In days. */
const longest: Readonly<Record<Repeat['every'], number>> = { day: 1, week: 7, month: 31 };

/** The longest time from the first run to the last one, in days: the recipients are kept for it. */
const longestRepeatDays = 366;

/**
 * Returns the first run after a moment, or undefined after the last one. A time that clocks skip is moved forward; of a time
 * that occurs twice only the first counts, so no day has two runs.
 */
export function nextRun({ every, from, until, time }: Repeat, zone: string, after: Date): Date | undefined {
  // A zone is at most a day from UTC: the run of this count is before `after`, or the first one.
  const passed = Math.floor((after.getTime() - Date.parse(from)) / day / longest[every]) - 1;
  for (let count = Math.max(0, passed); ; count += 1) {
    const date = dateOfRun(every, from, count);
    if (date > until) {
      return undefined;
    }
    const at = momentOf(date, time, zone);
    if (at > after) {
      return at;
    }
  }
}

/** Returns how many runs there are. */
export function countRuns({ every, from, until }: Omit<Repeat, 'time'>): number {
  let count = 0;
  while (dateOfRun(every, from, count) <= until) {
    count += 1;
  }
  return count;
}

/** Returns the date that is some days after another one. */
export const dateAfter = (date: string, days: number): string => dateOfRun('day', date, days);

/** Returns why a repetition cannot end then, as a sentence to show beside the field; undefined where it can. */
export function faultOfRepeat({ from, until }: Pick<Repeat, 'from' | 'until'>): string | undefined {
  if (until < from) {
    return 'Choose a date after the first one.';
  }
  return until > dateAfter(from, longestRepeatDays)
    ? 'Choose a date within a year of the first one.'
    : undefined;
}

/** In UTC, which has no change of clocks: the dates of a zone are counted, and not its moments. */
function dateOfRun(every: Repeat['every'], from: string, count: number): string {
  const first = new Date(`${from}T00:00Z`);
  const [year, month, dayOfMonth] = [first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate()];
  // Day 0 is the last one of the month before.
  const lastDay = new Date(Date.UTC(year, month + count + 1, 0)).getUTCDate();
  const date =
    every === 'month'
      ? Date.UTC(year, month + count, Math.min(dayOfMonth, lastDay))
      : Date.UTC(year, month, dayOfMonth + count * (every === 'week' ? 7 : 1));
  return new Date(date).toISOString().slice(0, 10);
}

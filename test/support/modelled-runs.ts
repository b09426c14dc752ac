import type { Repeat } from '../../src/domain/time/repeat.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Returns the runs of a repetition by a calendar of its own: it looks at the clock of the zone minute by minute. */
export function modelledRuns({ every, from, until, time }: Repeat, zone: string): Date[] {
  const [year = 0, month = 0, first = 0] = from.split('-').map(Number);
  const runs: Date[] = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += day) {
    const date = new Date(at);
    const days = Math.round((at - Date.parse(from)) / day);
    const isLast = new Date(at + day).getUTCDate() === 1;
    const isDay = date.getUTCDate() === first || (isLast && date.getUTCDate() < first);
    const months = (date.getUTCFullYear() - year) * 12 + date.getUTCMonth() + 1 - month;
    if (
      every === 'day' ||
      (every === 'week' && days % 7 === 0) ||
      (every === 'month' && isDay && months >= 0)
    ) {
      runs.push(momentOn(date.toISOString().slice(0, 10), time, zone));
    }
  }
  return runs;
}

export function momentOn(date: string, time: string, zone: string): Date {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const find = (wanted: string) => {
    const around = Date.parse(`${wanted.replace(' ', 'T')}Z`);
    // The offsets of zones are multiples of a quarter of an hour.
    for (let at = around - 15 * hour; at <= around + 15 * hour; at += 15 * minute) {
      if (format.format(at) === wanted) {
        return new Date(at);
      }
    }
    return undefined;
  };
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const anHourLater = `${String(hours + 1).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  const found = find(`${date} ${time}`) ?? find(`${date} ${anHourLater}`);
  if (found === undefined) {
    throw new Error(`No ${time} on ${date} in ${zone}`);
  }
  return found;
}

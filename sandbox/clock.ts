const minutesADay = 24 * 60;
/** West Africa Time is one hour ahead of UTC all year round. */
const watAhead = 60;

/**
 * How many milliseconds to add to the time so that it is `HH:MM` in Lagos, from 0 to a day. Always ahead: what an
 * earlier run has written stays in the past. Throws for what is no time of day.
 */
export function aheadUntil(time: string, now: Date): number {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time);
  if (!match) {
    throw new Error(`“${time}” is no time of day such as 21:00.`);
  }
  const wanted = Number(match[1]) * 60 + Number(match[2]);
  const minuteNow = now.getUTCHours() * 60 + now.getUTCMinutes() + watAhead;
  const minutes = (wanted - minuteNow + 2 * minutesADay) % minutesADay;
  return minutes * 60_000;
}

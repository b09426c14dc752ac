/** West Africa Time, the provider's time zone: one hour ahead of UTC all year round. */
const utcOffsetMs = 60 * 60 * 1000;
const minutesPerDay = 24 * 60;

export function lagosHour(at: Date): number {
  return inLagos(at).getUTCHours();
}

/** Formats a time as `YYYY-MM-DD HH:MM:SS` in Lagos. */
export function lagosTimestamp(at: Date): string {
  return inLagos(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats a time as ISO 8601 with the offset of Lagos. */
export function lagosIso(at: Date): string {
  return `${lagosTimestamp(at).replace(' ', 'T')}+01:00`;
}

/**
 * Returns the milliseconds from `now` until it is next `HH:MM` in Lagos, less than a day. Never negative: shifting a
 * clock by it keeps what an earlier run wrote in the past. Throws for text that is not a time of day.
 */
export function millisecondsUntil(time: string, now: Date): number {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time);
  if (!match) {
    throw new Error(`“${time}” isn’t a time of day, such as 21:00.`);
  }
  const wanted = Number(match[1]) * 60 + Number(match[2]);
  const lagos = inLagos(now);
  const minutes = wanted - (lagos.getUTCHours() * 60 + lagos.getUTCMinutes());
  return ((minutes + minutesPerDay) % minutesPerDay) * 60_000;
}

export function addMinutes(at: Date, minutes: number): Date {
  return new Date(at.getTime() + minutes * 60_000);
}

/** Shifts a time so that its UTC fields read as Lagos time. */
function inLagos(at: Date): Date {
  return new Date(at.getTime() + utcOffsetMs);
}

/** West Africa Time, in which the provider thinks: one hour ahead of UTC, the whole year. */
const aheadOfUtc = 60 * 60 * 1000;

export function watHour(at: Date): number {
  return new Date(at.getTime() + aheadOfUtc).getUTCHours();
}

/** `YYYY-MM-DD HH:MM:SS` in WAT. */
export function watTimestamp(at: Date): string {
  return new Date(at.getTime() + aheadOfUtc).toISOString().slice(0, 19).replace('T', ' ');
}

/** ISO 8601 with the offset of WAT. */
export function watIso(at: Date): string {
  return `${watTimestamp(at).replace(' ', 'T')}+01:00`;
}

export function later(at: Date, minutes: number): Date {
  return new Date(at.getTime() + minutes * 60_000);
}

import { fromZonedTime } from 'date-fns-tz/fromZonedTime';

/** West Africa Time is ahead of UTC by this, in milliseconds, all year. */
const lagosMs = 60 * 60_000;

/** How much earlier than our own request a message may claim to be, by its clock or ours, in milliseconds. */
const clockDifferenceMs = 2 * 60_000;
/** How much later than our request a message may be sent, in milliseconds. */
const sendingMs = 15 * 60_000;

/** Parts of a time such as `2026-03-09 10:21:47`, or `2026-03-09T10:21:47.5Z`. */
const written = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Reads a time in the provider's reports or history, such as `2026-03-09 10:21:47`. Without a zone it is taken as UTC, though
 * it may be Lagos time, see `mayBeOfRequest`. Undefined if it isn't a time.
 */
export function readReportedTime(text: string): Date | undefined {
  const [, day, time, fraction = '', zone = 'Z'] = written.exec(text.trim()) ?? [];
  const read = new Date(`${day}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}`);
  return Number.isNaN(read.getTime()) ? undefined : read;
}

/**
 * Parses a time if its zone is certain, from the text or the profile. Otherwise returns undefined.
 *
 * @param zone the time zone of times without one, such as `Africa/Lagos`
 */
export function readCertainTime(text: string, zone: string | undefined): Date | undefined {
  const read = readReportedTime(text);
  const [, , , , named] = written.exec(text.trim()) ?? [];
  if (read === undefined || named !== undefined) {
    return read;
  }
  return zone === undefined ? undefined : fromZonedTime(read.toISOString().slice(0, -1), zone);
}

/** Whether a message of a reported time, in UTC or in Lagos, may be of a request that began at a time. */
export function mayBeOfRequest(reportedAt: Date, beganAt: Date): boolean {
  return [reportedAt.getTime(), reportedAt.getTime() - lagosMs].some((time) => {
    const later = time - beganAt.getTime();
    return later >= -clockDifferenceMs && later <= sendingMs;
  });
}

/** Returns the earliest start of the request for a message with a reported time. */
export function earliestRequestOf(reportedAt: Date): Date {
  return new Date(reportedAt.getTime() - lagosMs - sendingMs);
}

/** Returns the latest such moment. */
export function latestRequestOf(reportedAt: Date): Date {
  return new Date(reportedAt.getTime() + clockDifferenceMs);
}

/** The maximum age of a report in milliseconds: the retention time. */
interface KeptFor {
  now: Date;
  maxAgeMs: number;
}

/** Whether a report is older than the data that is kept, or dated too far in the future. */
export function isStaleReport(reportedAt: Date, { now, maxAgeMs }: KeptFor): boolean {
  const isAhead = reportedAt.getTime() - now.getTime() > maxAheadMs;
  return isAhead || isTooOld(reportedAt, { now, maxAgeMs });
}

/** Whether a report is older than the data that is kept. */
export function isTooOld(reportedAt: Date, { now, maxAgeMs }: KeptFor): boolean {
  return now.getTime() - reportedAt.getTime() > maxAgeMs;
}

const maxAheadMs = 24 * 60 * 60_000;

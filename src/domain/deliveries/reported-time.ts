/** West Africa Time is ahead of UTC by this, in milliseconds, all year. */
const lagosMs = 60 * 60_000;

/** How much earlier than our own request a message may claim to be, by its clock or ours, in milliseconds. */
const clockDifferenceMs = 2 * 60_000;
/** How much later than our request a message may be sent, in milliseconds. */
const sendingMs = 15 * 60_000;

/**
 * Reads the time of a message as the provider writes it, in a report or in its history: `2026-03-09 10:21:47`, whose zone the
 * provider doesn’t name, is taken as UTC. It may be Lagos all the same, see `mayBeOfRequest`. Returns undefined where it is
 * none.
 */
export function readReportedTime(text: string): Date | undefined {
  const [, day, time, fraction = '', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/.exec(text.trim()) ?? [];
  const read = new Date(`${day}T${time}${fraction.slice(0, 4)}${zone}`);
  return Number.isNaN(read.getTime()) ? undefined : read;
}

/** Whether a message of a reported time, in UTC or in Lagos, may be of a request that began at a time. */
export function mayBeOfRequest(reportedAt: Date, beganAt: Date): boolean {
  return [reportedAt.getTime(), reportedAt.getTime() - lagosMs].some((time) => {
    const later = time - beganAt.getTime();
    return later >= -clockDifferenceMs && later <= sendingMs;
  });
}

/** Returns the earliest moment that a reported time may be, in UTC or in Lagos. */
export function earliestOfReported(reportedAt: Date): Date {
  return new Date(reportedAt.getTime() - lagosMs);
}

/** Whether a reported time is still to come, in UTC and in Lagos: then it says nothing of when something was. */
export function isYetToCome(reportedAt: Date, now: Date): boolean {
  return earliestOfReported(reportedAt).getTime() - clockDifferenceMs > now.getTime();
}

/** Returns the earliest moment at which a request may have begun whose message has a reported time. */
export function earliestRequestOf(reportedAt: Date): Date {
  return new Date(earliestOfReported(reportedAt).getTime() - sendingMs);
}

/** Returns the latest such moment. */
export function latestRequestOf(reportedAt: Date): Date {
  return new Date(reportedAt.getTime() + clockDifferenceMs);
}

/** How old and how far ahead a report may be, in milliseconds: the first is the retention time. */
export function isStaleReport(reportedAt: Date, { now, maxAgeMs }: { now: Date; maxAgeMs: number }): boolean {
  const age = now.getTime() - reportedAt.getTime();
  return age > maxAgeMs || age < -maxAheadMs;
}

const maxAheadMs = 24 * 60 * 60_000;

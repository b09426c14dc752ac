// Imported one by one: either whole library takes a second and hundreds of megabytes to load.
import { addHours } from 'date-fns/addHours';
import { addMilliseconds } from 'date-fns/addMilliseconds';
import { getTimezoneOffset } from 'date-fns-tz/getTimezoneOffset';
import { type PhoneNumber, toE164 } from '../phone/phone-number.ts';

/**
 * At night the generic route does not deliver to the numbers of one Nigerian operator (API §1, §8): from 20:00 to 08:00
 * West Africa Time, which has no daylight saving time.
 */
const zone = 'Africa/Lagos';
const begin = 20;
const end = 8;

/** Quiet hours as people read them: every text about one send names the same hours. */
export const quietHours = { all: '8:00 PM to 8:00 AM WAT', begin: '8:00 PM', end: '8:00 AM WAT' } as const;

/** Prefixes of the operator's numbers. Numbers can be ported to other operators, so this is good for a warning only. */
const prefixes = [
  ...['703', '704', '706', '7025', '7026'],
  ...['803', '806', '810', '813', '814', '816'],
  ...['903', '906', '913', '916'],
].map((prefix) => `+234${prefix}`);

/** Whether a moment is in the quiet hours: 20:00 is, 08:00 is not. */
export function inQuietHours(at: Date): boolean {
  const hour = clockInLagos(at).getUTCHours();
  return hour >= begin || hour < end;
}

/** From 08:00 to 20:00: anything longer meets quiet hours. */
const longestDayMs = 12 * 60 * 60_000;

/** Whether what begins at a moment and takes `durationMs` meets quiet hours before its end. */
export function meetsQuietHours(start: Date, durationMs: number): boolean {
  return inQuietHours(start) || durationMs > longestDayMs || inQuietHours(addMilliseconds(start, durationMs));
}

/** Returns the next 08:00 in Lagos after a moment: the end of the current or the next quiet hours. */
export function quietHoursEnd(at: Date): Date {
  const clock = clockInLagos(at);
  const sinceEnd = clock.getTime() - new Date(clock).setUTCHours(end, 0, 0, 0);
  const today = new Date(at.getTime() - sinceEnd);
  return today > at ? today : addHours(today, 24);
}

/** Returns a date whose UTC fields are the local time in Lagos. */
function clockInLagos(at: Date): Date {
  return new Date(at.getTime() + getTimezoneOffset(zone, at));
}

/** Whether a number belongs, by its prefix, to the operator with quiet hours. */
export function isQuietOperator(number: PhoneNumber): boolean {
  return prefixes.some((prefix) => toE164(number).startsWith(prefix));
}

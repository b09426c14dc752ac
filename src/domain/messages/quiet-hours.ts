// Each from its own file: as a whole, either library takes a second and hundreds of megabytes to load.
import { addHours } from 'date-fns/addHours';
import { getTimezoneOffset } from 'date-fns-tz/getTimezoneOffset';
import type { PhoneNumber } from '../phone/phone-number.ts';

/**
 * At night the generic route delivers nothing to the numbers of one Nigerian operator (API §1, §8): from 20:00 to 08:00
 * West Africa Time, which has no daylight saving.
 */
const zone = 'Africa/Lagos';
const begin = 20;
const end = 8;

/** What the operator's numbers begin with. Numbers can move between operators: a hint to warn by, not to block by. */
const prefixes = [
  ...['703', '704', '706', '7025', '7026'],
  ...['803', '806', '810', '813', '814', '816'],
  ...['903', '906', '913', '916'],
].map((prefix) => `+234${prefix}`);

/** Whether a moment lies in the quiet hours; 20:00 does, 08:00 does not. */
export function inQuietHours(at: Date): boolean {
  const hour = clockInLagos(at).getUTCHours();
  return hour >= begin || hour < end;
}

/** The next 08:00 in Lagos after a moment: when its quiet hours, or those to come, are over. */
export function quietHoursEnd(at: Date): Date {
  const clock = clockInLagos(at);
  const sinceEnd = clock.getTime() - new Date(clock).setUTCHours(end, 0, 0, 0);
  const today = new Date(at.getTime() - sinceEnd);
  return today > at ? today : addHours(today, 24);
}

/** A date whose fields in UTC are what clocks in Lagos show at a moment. */
function clockInLagos(at: Date): Date {
  return new Date(at.getTime() + getTimezoneOffset(zone, at));
}

/** Whether a number is, by its prefix, one of the operator whose numbers have quiet hours. */
export function isQuietOperator(number: PhoneNumber): boolean {
  return prefixes.some((prefix) => number.startsWith(prefix));
}

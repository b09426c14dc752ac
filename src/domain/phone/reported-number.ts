import type { CountryCode } from './countries.ts';
import { phoneNumberSchema } from './phone-number.ts';
import { findPlainMobile } from './plain-mobile.ts';
import { findNumber, plainCharacters } from './read-number.ts';

/** In characters: more than any number has, however it is written. */
const maxLength = 40;

/**
 * Reads a number as the provider reports it: in international form, with or without `+`, or as it is written in the
 * workspace's country. Digits that are a number in both ways are the international one, which is the provider's form. Returns
 * `+` and digits, also of digits that are no number known here; undefined for a name, and for the short code of a service.
 */
export function readReportedNumber(text: string, country: CountryCode): string | undefined {
  if (text.length > maxLength) {
    return undefined;
  }
  const compact = plainCharacters(text).replaceAll(/[\s().\-/]/g, '');
  if (!/^\+?\d{6,15}$/.test(compact)) {
    return findNumber(text, country);
  }
  const international = compact.startsWith('+') ? compact : `+${compact}`;
  const isInternational =
    findPlainMobile(compact, country) === international || phoneNumberSchema.safeParse(international).success;
  return isInternational ? international : (findNumber(text, country) ?? international);
}

import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
} from 'libphonenumber-js/max';
import { z } from 'zod';

export type { CountryCode };

/** A country with phone numbers. */
export interface Country {
  /** ISO 3166-1 alpha-2, in capitals: `NG`. */
  code: CountryCode;
  /** In English: `Nigeria`. */
  name: string;
  /** Digits without a plus: `234`. */
  callingCode: string;
}

export const countryCodeSchema = z.string().refine(isCountry, 'no country with phone numbers has this code');

const englishNames = new Intl.DisplayNames('en', { type: 'region' });

/** Every country with phone numbers, sorted by English name. */
export const countries: readonly Country[] = getCountries()
  .map((code) => ({ code, name: countryName(code), callingCode: getCountryCallingCode(code) }))
  .sort((one, other) => one.name.localeCompare(other.name, 'en'));

/** Whether a text is the alpha-2 code, in capitals, of a country with phone numbers. */
export function isCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

/** Returns the English name: `Nigeria` for `NG`. */
export function countryName(code: CountryCode): string {
  return englishNames.of(code) ?? code;
}

/** Returns the calling code: `234` for `NG`. */
export function callingCodeOf(code: CountryCode): string {
  return getCountryCallingCode(code);
}

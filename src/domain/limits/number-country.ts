import { LRUCache } from 'lru-cache';
import { type CountryCode, countries, countryName } from '../phone/countries.ts';
import { countryOf, type E164, phoneNumberSchema } from '../phone/phone-number.ts';
import type { CountryRule } from './limit-settings.ts';

/** Stands for the country of a number without one, such as +800. */
export const noCountry = 'none';
export type NumberCountry = CountryCode | typeof noCountry;

const longestCallingCode = 3;
/** The country of each calling code that is one country's alone: reading such a number takes no time. */
const onlyCountry = new Map<string, CountryCode | undefined>();
for (const { code, callingCode } of countries) {
  onlyCountry.set(callingCode, onlyCountry.has(callingCode) ? undefined : code);
}

/** Digits after a shared calling code that tell its countries apart. */
const tellingDigits = 6;
/**
 * Keyed by length and the digits that distinguish countries with the same calling code, because a number of
 * another length may be invalid.
 */
const known = new LRUCache<string, NumberCountry>({ max: 10_000 });

/**
 * Returns the country of a valid number in E.164, quickly: lists have a million of them. Never throws: a report may name
 * digits that are no number, which have no country where their calling code is shared.
 */
export function quickCountryOf(number: E164): NumberCountry {
  const text = String(number);
  for (let length = 1; length <= longestCallingCode; length += 1) {
    const callingCode = text.slice(1, 1 + length);
    if (onlyCountry.has(callingCode)) {
      return onlyCountry.get(callingCode) ?? countryOfShared(text, 1 + length + tellingDigits);
    }
  }
  return noCountry;
}

function countryOfShared(number: string, length: number): NumberCountry {
  const start = `${number.length}${number.slice(0, length)}`;
  const found = known.get(start);
  if (found !== undefined) {
    return found;
  }
  const { data: valid } = phoneNumberSchema.safeParse(number);
  if (valid === undefined) {
    // Numbers that begin as it does may have one.
    return noCountry;
  }
  const country = countryOf(valid) ?? noCountry;
  known.set(start, country);
  return country;
}

/** Whether a rule allows a country. A workspace's own is always allowed. */
export function isAllowed(country: NumberCountry, rule: CountryRule, ownCountry: CountryCode): boolean {
  return (
    rule === 'all' || country === ownCountry || (rule !== 'own' && rule.some((each) => each === country))
  );
}

/** `Ghana`; *no country* for a number such as +800. */
export function describeCountry(country: NumberCountry): string {
  return country === noCountry ? 'no country' : countryName(country);
}

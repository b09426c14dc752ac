import { findPhoneNumbersInText } from 'libphonenumber-js/max';
import type { CountryCode } from './countries.ts';
import { type PhoneNumber, phoneNumberSchema } from './phone-number.ts';
import { plainCharacters } from './read-number.ts';

/**
 * The phone numbers in running text, each once, in the order of their first occurrence: `Call Ada on 0803 123 4567 or
 * +44 7911 123456, order 4711`. What is not surely a number is passed over. A number without a country code belongs to
 * `defaultCountry`.
 */
export function findNumbers(text: string, defaultCountry: CountryCode): PhoneNumber[] {
  const separated = plainCharacters(text)
    // The library wants room around a number; a list without spaces gives none.
    .replace(/[,;|/]/g, '\n')
    .replace(/(?<![\d+])00(?=[1-9])/g, '+');
  const found = findPhoneNumbersInText(separated, { defaultCountry }).map(
    ({ number }) => phoneNumberSchema.safeParse(number.number).data,
  );
  return [...new Set(found)].filter((number) => number !== undefined);
}

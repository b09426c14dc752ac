import { isValidPhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { z } from 'zod';
import type { CountryCode } from './countries.ts';

const e164Schema = z.string().regex(/^\+[1-9]\d{5,14}$/);

/** A number that can exist, in E.164: `+2348031234567`. Only reading and the schema make one. */
export const phoneNumberSchema = e164Schema
  .refine((text) => isValidPhoneNumber(text), 'no such phone number')
  .brand<'PhoneNumber'>();
export type PhoneNumber = z.infer<typeof phoneNumberSchema>;

/** For `findPlainMobile` alone, which knows that a number can exist before it has one. */
export const provenNumberSchema = e164Schema.brand<'PhoneNumber'>();

/** The form the provider takes (API §4): `2348031234567`. */
export function toDigits(number: PhoneNumber): string {
  return number.slice(1);
}

/** The form for people: `+234 803 123 4567`. */
export function formatNumber(number: PhoneNumber): string {
  return parsePhoneNumberWithError(number).formatInternational();
}

/**
 * The form for logs, history and channels: `+234803•••4567`. At least three digits are hidden, however short the
 * number; how many are is not shown.
 */
export function maskNumber(number: PhoneNumber): string {
  const { countryCallingCode, nationalNumber } = parsePhoneNumberWithError(number);
  const mayBeShown = nationalNumber.length - 3;
  const last = Math.min(4, mayBeShown);
  const first = Math.min(3, mayBeShown - last);
  const shownLast = nationalNumber.slice(nationalNumber.length - last);
  return `+${countryCallingCode}${nationalNumber.slice(0, first)}•••${shownLast}`;
}

/** The country a number belongs to; none for a number of no country, such as +800. */
export function countryOf(number: PhoneNumber): CountryCode | undefined {
  return parsePhoneNumberWithError(number).country;
}

/** A number taken apart as the provider has it (API §4.12): `234`, and `8031234567` without the country's prefix. */
export function splitNumber(number: PhoneNumber): { countryCode: string; national: string } {
  const { countryCallingCode, nationalNumber } = parsePhoneNumberWithError(number);
  return { countryCode: countryCallingCode, national: nationalNumber };
}

import { isValidPhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { z } from 'zod';
import type { CountryCode } from './countries.ts';

const e164Schema = z.string().regex(/^\+[1-9]\d{5,14}$/);

/** A valid number in E.164: `+2348031234567`. Created only by the readers and by this schema. */
export const phoneNumberSchema = e164Schema
  .refine((text) => isValidPhoneNumber(text), 'no such phone number')
  .brand<'PhoneNumber'>();
export type PhoneNumber = z.infer<typeof phoneNumberSchema>;

/** Only for what has already validated the number: `findPlainMobile`, or a campaign’s import. */
export const provenNumberSchema = e164Schema.brand<'PhoneNumber'>();

/** Formats a number for the provider (API §4): `2348031234567`. */
export function toDigits(number: PhoneNumber): string {
  return number.slice(1);
}

/** Formats a number for display: `+234 803 123 4567`. */
export function formatNumber(number: PhoneNumber): string {
  return parsePhoneNumberWithError(number).formatInternational();
}

/**
 * Masks a number for the history and channels: `+234803•••4567`. At least three digits are hidden, however short the
 * number is; the mask does not show how many.
 */
export function maskNumber(number: PhoneNumber): string {
  const { countryCallingCode, nationalNumber } = parsePhoneNumberWithError(number);
  const mayBeShown = nationalNumber.length - 3;
  const last = Math.min(4, mayBeShown);
  const first = Math.min(3, mayBeShown - last);
  const shownLast = nationalNumber.slice(nationalNumber.length - last);
  return `+${countryCallingCode}${nationalNumber.slice(0, first)}•••${shownLast}`;
}

/** Returns the country of a number; `undefined` for a number without one, such as +800. */
export function countryOf(number: PhoneNumber): CountryCode | undefined {
  return parsePhoneNumberWithError(number).country;
}

/** Splits a number as the provider does (API §4.12): `234`, and `8031234567` without the country's prefix. */
export function splitNumber(number: PhoneNumber): { countryCode: string; national: string } {
  const { countryCallingCode, nationalNumber } = parsePhoneNumberWithError(number);
  return { countryCode: countryCallingCode, national: nationalNumber };
}

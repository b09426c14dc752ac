import { isValidPhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/max';
import { z } from 'zod';
import type { CountryCode } from './countries.ts';

declare const phoneNumber: unique symbol;

/**
 * A valid number in E.164, `+2348031234567`. Not assignable to a string, so that no text has one by accident: `mrkdwn` takes
 * it as it is, and masks it for readers who may not see it.
 */
export interface PhoneNumber {
  readonly [phoneNumber]: true;
}

/** A number to find by its hash: one that was just read, or E.164 as it is stored. */
export type E164 = string | PhoneNumber;

const isE164 = (value: unknown) => typeof value === 'string' && /^\+[1-9]\d{5,14}$/.test(value);

export const phoneNumberSchema = z.custom<PhoneNumber>(
  (value) => isE164(value) && isValidPhoneNumber(String(value)),
  'no such phone number',
);

/** Only for what has already validated the number: `findPlainMobile`, or a campaign’s import. */
export const provenNumberSchema = z.custom<PhoneNumber>(isE164);

/**
 * Writes a number in E.164, `+2348031234567`: for storage, for files, and for what a control in Slack sends back. A text takes
 * the number itself.
 */
export function toE164(number: PhoneNumber): string {
  return String(number);
}

/** Writes a number for the provider (API §4): `2348031234567`. */
export function toDigits(number: PhoneNumber): string {
  return toE164(number).slice(1);
}

/** Returns the country of a number; `undefined` for a number without one, such as +800. */
export function countryOf(number: PhoneNumber): CountryCode | undefined {
  return parsePhoneNumberWithError(toE164(number)).country;
}

/** Whether a number is of a landline alone: in some countries mobile numbers look the same. */
export function isLandline(number: PhoneNumber): boolean {
  return parsePhoneNumberWithError(toE164(number)).getType() === 'FIXED_LINE';
}

/** Whether an SMS can reach it: also where a country’s mobile numbers look like its landlines. */
export function isMobile(number: PhoneNumber): boolean {
  return ['MOBILE', 'FIXED_LINE_OR_MOBILE'].includes(
    parsePhoneNumberWithError(toE164(number)).getType() ?? '',
  );
}

/** Splits a number as the provider does (API §4.12): `234`, and `8031234567` without the country's prefix. */
export function splitNumber(number: PhoneNumber): { countryCode: string; national: string } {
  const { countryCallingCode, nationalNumber } = parsePhoneNumberWithError(toE164(number));
  return { countryCode: countryCallingCode, national: nationalNumber };
}

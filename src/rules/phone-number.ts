import {
  getCountryCallingCode,
  isValidPhoneNumber,
  type PhoneNumber as ParsedNumber,
  parsePhoneNumberFromString,
  parsePhoneNumberWithError,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import { z } from 'zod';
import { type CountryCode, countryName } from './countries.ts';

/** A number that can exist, in E.164: `+2348031234567`. Only `readNumber` and the schema make one. */
export const phoneNumberSchema = z
  .string()
  .regex(/^\+[1-9]\d{5,14}$/)
  .refine((text) => isValidPhoneNumber(text), 'no such phone number')
  .brand<'PhoneNumber'>();
export type PhoneNumber = z.infer<typeof phoneNumberSchema>;

export type ReadNumber = { ok: true; number: PhoneNumber } | { ok: false; reason: string };

/** The longest number E.164 allows. */
const mostDigits = 15;

/** What a spreadsheet makes of a long number in a narrow or numeric column: `8.03E+09`, `8,031,234,567`. */
const shortenedBySpreadsheet = /^[+-]?(?:\d+(?:[.,]\d+)?E[+-]?\d+|\d{1,3}(?:,\d{3}){2,})$/i;

/**
 * Reads one phone number as a person wrote it: `+234 803 123 4567`, `0803-123-4567`, `(0803) 123.4567`,
 * `00234803…`, `234803…`, `tel:+234…`. A number without a country code belongs to `defaultCountry`. The reason of a
 * refusal is for a support agent and completes a sentence: “0803 12” *is too short for Nigeria*.
 */
export function readNumber(text: string, defaultCountry: CountryCode): ReadNumber {
  const written = plainCharacters(text)
    .trim()
    .replace(/^tel:\s*/i, '')
    .replace(/^(\d{7,})\.0+$/, '$1');
  if (shortenedBySpreadsheet.test(written)) {
    return refuse('was shortened by a spreadsheet: format the column as text and copy it again');
  }
  if (!/\d/.test(written)) return refuse('is not a number');
  if (/\p{L}/u.test(written)) return refuse('has letters among its digits');
  if (!/^[\s(]*\+?[\d\s().\-/]+$/.test(written)) return refuse('is not a number');

  const compact = written.replace(/[^\d+]/g, '');
  for (const parsed of readings(compact, defaultCountry)) {
    const checked = phoneNumberSchema.safeParse(parsed.isValid() ? parsed.number : undefined);
    if (checked.success) return { ok: true, number: checked.data };
  }
  return refuse(whyNot(compact, defaultCountry));
}

/**
 * Takes out what is invisible (byte order mark, direction marks that WhatsApp puts around numbers) and writes spaces,
 * dashes, plus signs and digits of other scripts as their plain counterparts.
 */
export function plainCharacters(text: string): string {
  return text
    .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2010-\u2015\u2212\uFE63\uFF0D]/g, '-')
    .replace(/\uFF0B/g, '+')
    .replace(/[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

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

/**
 * Whether digits hold a number in full, so that no digit beside them could belong to it: as it is written at home or
 * abroad. Fewer than eight digits are never enough to say so: where numbers are that short, longer ones end with them.
 */
export function isWrittenInFull(compact: string, number: PhoneNumber): boolean {
  if (/^(?:\+|00)/.test(compact) || compact.length >= 10) return true;
  if (compact.length < 8) return false;
  return parsePhoneNumberWithError(number).formatNational().replace(/\D/g, '') === compact;
}

/** What digits may mean, the likeliest first. */
function* readings(compact: string, defaultCountry: CountryCode): Generator<ParsedNumber> {
  const full = withPlus(compact, defaultCountry);
  if (full !== compact) yield* parse(full, defaultCountry);
  yield* parse(compact, defaultCountry);
  if (!exceedsNumber(compact, defaultCountry))
    yield* withoutPlus(compact, defaultCountry).filter(canBeMobile);
}

/** Digits that begin with `00` or with the calling code of the own country, written internationally. */
function withPlus(compact: string, defaultCountry: CountryCode): string {
  if (/^00[1-9]/.test(compact)) return `+${compact.slice(2)}`;
  return compact.startsWith(getCountryCallingCode(defaultCountry)) ? `+${compact}` : compact;
}

/**
 * A number of another country written without its plus, as exports of providers do. Only the number of a mobile phone
 * is believed, and only where the digits are no number of the own country with some too many: such a slip can look
 * like a number on the other side of the world.
 */
function withoutPlus(compact: string, defaultCountry: CountryCode): ParsedNumber[] {
  if (!/^[1-9]\d{10,}$/.test(compact)) return [];
  return parse(`+${compact}`, defaultCountry).filter((parsed) => parsed.isValid());
}

function canBeMobile(parsed: ParsedNumber): boolean {
  const type = parsed.getType();
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
}

/** What the library makes of digits: a number, possible or not, or nothing. */
function parse(compact: string, defaultCountry: CountryCode): ParsedNumber[] {
  const parsed = parsePhoneNumberFromString(compact, { defaultCountry, extract: false });
  return parsed ? [parsed] : [];
}

function isNumber(compact: string, defaultCountry: CountryCode): boolean {
  return parse(compact, defaultCountry).some((parsed) => parsed.isValid());
}

/** Whether digits are a number and a few digits too many. */
function exceedsNumber(compact: string, defaultCountry: CountryCode): boolean {
  return [1, 2, 3].some((more) => isNumber(compact.slice(0, -more), defaultCountry));
}

function whyNot(compact: string, defaultCountry: CountryCode): string {
  if (compact.replace('+', '').length > mostDigits + 2) {
    return 'is too long for one number: if these are several, put each on its own line';
  }
  const full = withPlus(compact, defaultCountry);
  const length = validatePhoneNumberLength(full, defaultCountry);
  if (length === 'INVALID_COUNTRY') return 'begins with a country code that does not exist';
  const [parsed] = parse(full, defaultCountry);
  if (!parsed && full.startsWith('+')) return 'is too short for a phone number';

  const place = parsed ? whereIs(parsed) : countryName(defaultCountry);
  const [abroad] = withoutPlus(compact, defaultCountry);
  const elsewhere = abroad ? `; if it is meant for ${whereIs(abroad)}, write ${abroad.number}` : '';
  // Where numbers differ in length, the length alone does not tell; what a few digits more or less would make does.
  const lacks = ['0', '00', '000'].some((missing) => isNumber(full + missing, defaultCountry));
  if (length === 'TOO_SHORT' || lacks) return `is too short for ${place}${elsewhere}`;
  if (length === 'TOO_LONG' || exceedsNumber(full, defaultCountry))
    return `is too long for ${place}${elsewhere}`;
  return `is not a number that exists in ${place}${elsewhere}`;
}

function whereIs(parsed: ParsedNumber): string {
  const [only, ...others] = parsed.country ? [parsed.country] : parsed.getPossibleCountries();
  return only && others.length === 0 ? countryName(only) : `country code +${parsed.countryCallingCode}`;
}

function refuse(reason: string): ReadNumber {
  return { ok: false, reason };
}

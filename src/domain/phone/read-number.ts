import {
  getCountryCallingCode,
  type PhoneNumber as ParsedNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import { type CountryCode, countryName } from './countries.ts';
import { type PhoneNumber, phoneNumberSchema, toE164 } from './phone-number.ts';
import { findPlainMobile } from './plain-mobile.ts';

export type ReadNumber = { ok: true; number: PhoneNumber } | NoNumber;

/** What is wrong with a text that is not a number, where the reason names the country and the remedy in full. */
export type NumberProblem = 'shortened' | 'too_short' | 'too_long' | 'not_a_number';

export interface NoNumber {
  ok: false;
  reason: string;
  problem: NumberProblem;
}

/** The maximum of E.164. A prefix of zeros adds at most two. */
const maxDigits = 15;
/** No country has shorter numbers. */
const minDigits = 4;
/** With a country code: at least six digits, and the plus. */
const minInternational = 7;

/** Digits and what people put between them. */
const isOfDigits = /^[\s(]*(?:\+[\s(]*)?\d[\d\s().\-/_·•]*$/;

/** A long number as a spreadsheet shows it in a narrow or numeric column: `8.03E+09`, `8,031,234,567`. */
const shortenedBySpreadsheet = /^[+-]?(?:\d+(?:[.,]\d+)?E[+-]?\d+|\d{1,3}(?:[,’']\d{3}){2,}(?:\.0+)?)$/i;

/** Whether a spreadsheet has written a long number as an amount, or lost its digits. */
export function isShortened(cell: string): boolean {
  return shortenedBySpreadsheet.test(cell);
}

/**
 * Reads one phone number in any usual spelling: `+234 803 123 4567`, `0803-123-4567`, `(0803) 123.4567`,
 * `00234803…`, `234803…`, `tel:+234…`. A number without a country code belongs to `defaultCountry`. The reason for a
 * refusal completes a sentence: “0803 12” *is too short for Nigeria*.
 */
export function readNumber(text: string, defaultCountry: CountryCode): ReadNumber {
  const number = findNumber(text, defaultCountry);
  return number ? { ok: true, number } : whyNoNumber(text, defaultCountry);
}

/**
 * Reads a number that was typed into a field of its own. The fault is a sentence to show beside the field; undefined where the
 * field is empty.
 */
export function readTypedNumber(
  text: string,
  defaultCountry: CountryCode,
): { ok: true; number: PhoneNumber } | { ok: false; fault: string | undefined } {
  const typed = text.trim();
  const read = readNumber(typed, defaultCountry);
  return read.ok ? read : { ok: false, fault: typed === '' ? undefined : `“${typed}” ${read.reason}.` };
}

/** Reads one phone number like `readNumber`, but without working out a reason, which takes longer. */
export function findNumber(text: string, defaultCountry: CountryCode): PhoneNumber | undefined {
  const written = asWritten(text);
  if (!isOfDigits.test(written)) {
    return undefined;
  }
  const compact = digitsOf(written);
  const fewest = compact.startsWith('+') ? minInternational : minDigits;
  if (compact.length < fewest || compact.length > maxDigits + 2) {
    return undefined;
  }
  for (const parsed of readings(compact, { country: defaultCountry, together: compact === written })) {
    const checked = phoneNumberSchema.safeParse(parsed.isValid() ? parsed.number : undefined);
    if (checked.success) {
      return checked.data;
    }
  }
  return undefined;
}

/** Returns the digits and plus signs of a text. */
export function digitsOf(text: string): string {
  return text.replace(/[^\d+]/g, '');
}

/**
 * Removes invisible characters (byte order mark, direction marks that WhatsApp puts around numbers), and replaces spaces,
 * dashes, plus signs and digits of other scripts by their ASCII counterparts.
 */
export function plainCharacters(text: string): string {
  return text
    .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2010-\u2015\u2212\uFE63\uFF0D]/g, '-')
    .replace(/\uFF0B/g, '+')
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit);
}

/** Unicode has the ten digits of a script in a row. The rows of some scripts follow each other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) {
    zero -= 1;
  }
  return String((code - zero) % 10);
}

/** Yields the possible readings of digits, the likeliest first. `together`: nothing was written between the digits. */
function* readings(
  compact: string,
  { country, together }: { country: CountryCode; together: boolean },
): Generator<ParsedNumber> {
  const full = withPlus(compact, country);
  if (full !== compact) {
    yield* parse(full, country);
  }
  yield* parse(compact, country);
  const mobiles = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];
  const abroad = together
    ? withoutPlus(compact, country).filter((parsed) => mobiles.includes(parsed.getType() ?? ''))
    : [];
  if (abroad.length > 0 && !exceedsNumber(compact, country)) {
    yield* abroad;
  }
}

/** Returns digits that begin with `00` or the default country's calling code in international format. */
function withPlus(compact: string, defaultCountry: CountryCode): string {
  if (/^00[1-9]/.test(compact)) {
    return `+${compact.slice(2)}`;
  }
  return compact.startsWith(getCountryCallingCode(defaultCountry)) ? `+${compact}` : compact;
}

/**
 * Reads a number of another country without its plus, as in exports of providers. Accepted only for mobile numbers in one
 * piece that are not a number of the default country with digits too many: a typing error can look like a number of a
 * distant country.
 */
function withoutPlus(compact: string, defaultCountry: CountryCode): ParsedNumber[] {
  if (!/^[1-9]\d{10,}$/.test(compact)) {
    return [];
  }
  return parse(`+${compact}`, defaultCountry).filter((parsed) => parsed.isValid());
}

/** Parses digits with the library: one number, valid or not, or none. */
function parse(compact: string, defaultCountry: CountryCode): ParsedNumber[] {
  const parsed = parsePhoneNumberFromString(compact, { defaultCountry, extract: false });
  return parsed ? [parsed] : [];
}

function isNumber(compact: string, defaultCountry: CountryCode): boolean {
  return parse(compact, defaultCountry).some((parsed) => parsed.isValid());
}

/** Whether digits are a number followed by one to three digits too many. */
function exceedsNumber(compact: string, defaultCountry: CountryCode): boolean {
  return [1, 2, 3].some((more) => isNumber(compact.slice(0, -more), defaultCountry));
}

/** Removes the scheme of a link, and the decimals that a spreadsheet adds to a number. */
function asWritten(text: string): string {
  return plainCharacters(text)
    .trim()
    .replace(/^(?:tel|sms|smsto):\s*/i, '')
    .replace(/^(\d{7,})\.0+$/, '$1');
}

function whyNoNumber(text: string, defaultCountry: CountryCode): NoNumber {
  const written = asWritten(text);
  if (isShortened(written)) {
    return noNumber('shortened', 'was shortened by Excel: format the column as text and export again');
  }
  if (/\d/.test(written) && /\p{L}/u.test(written)) {
    return noNumber('not_a_number', 'has letters among its digits');
  }
  if (!isOfDigits.test(written)) {
    return noNumber('not_a_number', 'is not a number');
  }
  const compact = digitsOf(written);
  if (compact.length > maxDigits + 2) {
    return noNumber('too_long', 'is too long for one number: if these are several, put each on its own line');
  }
  if (compact.length < minDigits) {
    return noNumber(
      'too_short',
      `is too short for ${compact.startsWith('+') ? 'a phone number' : `a number in ${countryName(defaultCountry)}`}`,
    );
  }
  const full = withPlus(compact, defaultCountry);
  const length = validatePhoneNumberLength(full, defaultCountry);
  if (length === 'INVALID_COUNTRY') {
    return noNumber('not_a_number', 'begins with a country code that does not exist');
  }
  const [parsed] = parse(full, defaultCountry);
  if (!parsed && full.startsWith('+')) {
    return noNumber('too_short', 'is too short for a phone number');
  }

  const kind = parsed ? kindOf(parsed) : `a number in ${countryName(defaultCountry)}`;
  const [abroad] = withoutPlus(compact, defaultCountry);
  const elsewhere = abroad ? `; if it is ${kindOf(abroad)}, write ${abroad.number}` : '';
  // If the country's numbers differ in length, the length alone does not decide: try a few digits more or less.
  if (
    length === 'TOO_SHORT' ||
    ['0', '00', '000'].some((missing) => isNumber(full + missing, defaultCountry))
  ) {
    return noNumber('too_short', `is too short for ${kind}${elsewhere}`);
  }
  if (length === 'TOO_LONG' || exceedsNumber(full, defaultCountry)) {
    return noNumber('too_long', `is too long for ${kind}${elsewhere}`);
  }
  return noNumber('not_a_number', `isn’t ${kind.replace('a ', 'a valid ')}${elsewhere}`);
}

function noNumber(problem: NumberProblem, reason: string): NoNumber {
  return { ok: false, reason, problem };
}

/** `a number in Nigeria`; `a +1 number` where several countries share the code. */
function kindOf(parsed: ParsedNumber): string {
  const [only, ...others] = parsed.country ? [parsed.country] : parsed.getPossibleCountries();
  return only && others.length === 0
    ? `a number in ${countryName(only)}`
    : `a +${parsed.countryCallingCode} number`;
}

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
    return e164Of(findNumber(text, country));
  }
  const international = compact.startsWith('+') ? compact : `+${compact}`;
  const isInternational =
    e164Of(findPlainMobile(compact, country)) === international ||
    phoneNumberSchema.safeParse(international).success;
  return isInternational ? international : (e164Of(findNumber(text, country)) ?? international);
}

const e164Of = (number: PhoneNumber | undefined) => number && toE164(number);

import {
  getCountryCallingCode,
  type PhoneNumber as ParsedNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import { type CountryCode, countryName } from './countries.ts';
import { type PhoneNumber, phoneNumberSchema } from './phone-number.ts';

export type ReadNumber = { ok: true; number: PhoneNumber } | { ok: false; reason: string };

/** The longest number E.164 allows; with the zeros that are dialled before it, two more. */
const mostDigits = 15;
/** No country has shorter numbers; with its code, a number has six digits at least, and the plus. */
const fewestDigits = 4;
const fewestAbroad = 7;

/** Digits and what people put between them. */
const isOfDigits = /^[\s(]*(?:\+[\s(]*)?\d[\d\s().\-/]*$/;

/** What a spreadsheet makes of a long number in a narrow or numeric column: `8.03E+09`, `8,031,234,567`. */
const shortenedBySpreadsheet = /^[+-]?(?:\d+(?:[.,]\d+)?E[+-]?\d+|\d{1,3}(?:,\d{3}){2,})$/i;

/**
 * Reads one phone number as a person wrote it: `+234 803 123 4567`, `0803-123-4567`, `(0803) 123.4567`,
 * `00234803…`, `234803…`, `tel:+234…`. A number without a country code belongs to `defaultCountry`. The reason of a
 * refusal is for a support agent and completes a sentence: “0803 12” *is too short for Nigeria*.
 */
export function readNumber(text: string, defaultCountry: CountryCode): ReadNumber {
  const number = findNumber(text, defaultCountry);
  return number ? { ok: true, number } : { ok: false, reason: whyNoNumber(text, defaultCountry) };
}

/** Reads one phone number like `readNumber`, without looking for a reason where there is none. */
export function findNumber(text: string, defaultCountry: CountryCode): PhoneNumber | undefined {
  const written = asWritten(text);
  if (!isOfDigits.test(written)) {
    return undefined;
  }
  const compact = digitsOf(written);
  const fewest = compact.startsWith('+') ? fewestAbroad : fewestDigits;
  if (compact.length < fewest || compact.length > mostDigits + 2) {
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

/** The digits of a text, and its plus. */
export function digitsOf(text: string): string {
  return text.replace(/[^\d+]/g, '');
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

/** What digits may mean, the likeliest first. `together` means that nothing was written between them. */
function* readings(
  compact: string,
  { country, together }: { country: CountryCode; together: boolean },
): Generator<ParsedNumber> {
  const full = withPlus(compact, country);
  if (full !== compact) {
    yield* parse(full, country);
  }
  yield* parse(compact, country);
  const abroad = together ? withoutPlus(compact, country).filter(canBeMobile) : [];
  if (abroad.length > 0 && !exceedsNumber(compact, country)) {
    yield* abroad;
  }
}

/** Digits that begin with `00` or with the calling code of the own country, written internationally. */
function withPlus(compact: string, defaultCountry: CountryCode): string {
  if (/^00[1-9]/.test(compact)) {
    return `+${compact.slice(2)}`;
  }
  return compact.startsWith(getCountryCallingCode(defaultCountry)) ? `+${compact}` : compact;
}

/**
 * A number of another country written without its plus, as exports of providers do. It is believed only where it is in
 * one piece, a mobile phone's, and not a number of the own country with some digits too many: a slip can look like a
 * number on the other side of the world.
 */
function withoutPlus(compact: string, defaultCountry: CountryCode): ParsedNumber[] {
  if (!/^[1-9]\d{10,}$/.test(compact)) {
    return [];
  }
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

/** Without the word before a link and the decimals that a spreadsheet adds to a number. */
function asWritten(text: string): string {
  return plainCharacters(text)
    .trim()
    .replace(/^tel:\s*/i, '')
    .replace(/^(\d{7,})\.0+$/, '$1');
}

function whyNoNumber(text: string, defaultCountry: CountryCode): string {
  const written = asWritten(text);
  if (shortenedBySpreadsheet.test(written)) {
    return 'was shortened by a spreadsheet: format the column as text and copy it again';
  }
  if (/\d/.test(written) && /\p{L}/u.test(written)) {
    return 'has letters among its digits';
  }
  if (!isOfDigits.test(written)) {
    return 'is not a number';
  }
  const compact = digitsOf(written);
  if (compact.length > mostDigits + 2) {
    return 'is too long for one number: if these are several, put each on its own line';
  }
  if (compact.length < fewestDigits) {
    return `is too short for ${compact.startsWith('+') ? 'a phone number' : countryName(defaultCountry)}`;
  }
  const full = withPlus(compact, defaultCountry);
  const length = validatePhoneNumberLength(full, defaultCountry);
  if (length === 'INVALID_COUNTRY') {
    return 'begins with a country code that does not exist';
  }
  const [parsed] = parse(full, defaultCountry);
  if (!parsed && full.startsWith('+')) {
    return 'is too short for a phone number';
  }

  const place = parsed ? whereIs(parsed) : countryName(defaultCountry);
  const [abroad] = withoutPlus(compact, defaultCountry);
  const elsewhere = abroad ? `; if it is meant for ${whereIs(abroad)}, write ${abroad.number}` : '';
  // Where numbers differ in length, the length alone does not tell; what a few digits more or less would make does.
  const lacks = () => ['0', '00', '000'].some((missing) => isNumber(full + missing, defaultCountry));
  if (length === 'TOO_SHORT' || lacks()) {
    return `is too short for ${place}${elsewhere}`;
  }
  if (length === 'TOO_LONG' || exceedsNumber(full, defaultCountry)) {
    return `is too long for ${place}${elsewhere}`;
  }
  return `is not a number that exists in ${place}${elsewhere}`;
}

function whereIs(parsed: ParsedNumber): string {
  const [only, ...others] = parsed.country ? [parsed.country] : parsed.getPossibleCountries();
  return only && others.length === 0 ? countryName(only) : `country code +${parsed.countryCallingCode}`;
}

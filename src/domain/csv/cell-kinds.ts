import { type CountryCode, callingCodeOf, isCountry } from '../phone/countries.ts';
import { countryNamed } from '../phone/country-names.ts';
import { isMobile, toE164 } from '../phone/phone-number.ts';
import { findPlainMobile } from '../phone/plain-mobile.ts';
import { findNumber, isShortened } from '../phone/read-number.ts';
import { type ReadNumbers, readNumbers } from '../phone/read-numbers.ts';

/**
 * What a cell of a table may be. `figure`: an amount, a date, or a number that isn’t valid. `word`: everything else, also
 * a title that has digits.
 */
export type CellKind = 'empty' | 'mobile' | 'landline' | 'figure' | 'email' | 'word';

/** In characters: a name and a few numbers fit. Longer cells are not read. */
const maxNumberCell = 100;

/** What people write where there is no value. */
const noValue =
  /^(?:[-–—?.*_]+|n\.?\s?\/?\s?a\.?|nil|none|null|no|unknown|missing|undefined|no (?:phone|number|mobile|gsm|line|contact|whatsapp)|not (?:available|given|known|applicable|provided))$/i;

const plainDigits = /^\+?\d+$/;
const date = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d\d.*)?$/;
const email = /^[^\s@,]+@[^\s@,]+\.\p{L}+$/u;

export function kindOfCell(cell: string, country: CountryCode): CellKind {
  if (cell === '' || noValue.test(cell)) {
    return 'empty';
  }
  if (plainDigits.test(cell) && findPlainMobile(cell, country) !== undefined) {
    return 'mobile';
  }
  if (isMeantAsNumber(cell) && !date.test(cell)) {
    // Finding out why a row of digits is no number takes long, and isn’t needed here.
    const [number] = plainDigits.test(cell)
      ? [findNumber(cell, country)]
      : readNumberCell(cell, country).numbers;
    if (number !== undefined) {
      return isMobile(number) ? 'mobile' : 'landline';
    }
  }
  if (!/\p{L}/u.test(cell) || isShortened(cell)) {
    return /\d/.test(cell) ? 'figure' : 'word';
  }
  return email.test(cell) ? 'email' : 'word';
}

/** Beside a number of nobody’s, in the first row of many forms. */
const isExample = /^[([“"]*(?:e\.?g\b|(?:for )?example\b|sample\b)/i;

/** Whether a cell is meant as a number, valid or not. */
export function isMeantAsNumber(cell: string): boolean {
  return cell.replace(/\D/g, '').length >= 5 || isShortened(cell);
}

/**
 * Returns the cell of a row's number, with the country code from another column: `8035550100` beside `1`, `US` or `United
 * States` is a US number, whatever the default country.
 */
export function numberCell(
  cells: readonly string[],
  { index, codeIndex, country }: { index: number; codeIndex: number; country: CountryCode },
): string {
  const cell = dividedNumber(cells, index) ?? cells[index] ?? '';
  const where = cells[codeIndex] ?? '';
  const code = /^(?:\+|00)?([1-9]\d{0,3})$/.exec(where)?.[1];
  if (/\p{L}/u.test(where) && !cell.startsWith('+')) {
    const { iso2 = '' } = countryNamed(where) ?? {};
    // A local number may also belong to somebody who lives elsewhere.
    const local = isCountry(iso2) && iso2 !== country ? findNumber(cell, iso2) : undefined;
    return local === undefined ? cell : toE164(local);
  }
  const digits = cell.replace(/[\s().-]/g, '');
  if (code === undefined || code === callingCodeOf(country) || !/^(?!00)\d{5,15}$/.test(digits)) {
    return cell;
  }
  const isWhole = digits.startsWith(code) && findNumber(`+${digits}`, country) !== undefined;
  return isWhole ? `+${digits}` : `+${code}${digits}`;
}

/** Reads a cell that must have one number or several. */
export function readNumberCell(cell: string, country: CountryCode): ReadNumbers {
  if (isExample.test(cell)) {
    const invalid = [{ text: excerptOf(cell), reason: 'is an example', problem: 'not_a_number' } as const];
    return { numbers: [], invalid, duplicates: 0 };
  }
  if (cell.length <= maxNumberCell) {
    return readNumbers(cell, country);
  }
  return {
    numbers: [],
    invalid: [{ text: excerptOf(cell), reason: tooLong, problem: 'too_long' }],
    duplicates: 0,
  };
}

/** Fewer digits with commas between them are an amount. */
export const fewestDigits = 9;
/** Groups of three digits, after the first ones. */
const maxGroups = 4;

/** Returns a number that a spreadsheet wrote with commas, without the quotation marks that would keep it in one cell. */
export function dividedNumber(cells: readonly string[], at: number): string | undefined {
  if (!/^\d{1,3}$/.test(cells[at] ?? '')) {
    return undefined;
  }
  const [written = ''] = /^\d+(?:,\d{3}(?!\d))*/.exec(cells.slice(at, at + 1 + maxGroups).join()) ?? [];
  return written.replaceAll(',', '').length >= fewestDigits ? written : undefined;
}

const tooLong = 'is too long for one number: if these are several, put each on its own line';

/** Returns a cell as it is listed among the rejected rows: cut off if it is long. */
export function excerptOf(cell: string): string {
  return cell.length <= maxNumberCell ? cell : `${cell.slice(0, maxNumberCell - 1).toWellFormed()}…`;
}

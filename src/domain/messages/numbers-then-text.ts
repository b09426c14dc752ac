import type { CountryCode } from '../phone/countries.ts';
import { type Group, groupsOf, numberOf, stretches } from '../phone/number-groups.ts';

/** A command's short form, cut in two: `/sms +2348031234567, 0805 123 4567 Hello`. */
export interface NumbersThenText {
  /** For `readNumbers`; empty where the text does not begin with a number. */
  numbersText: string;
  /** The message from its first visible character on, exactly as it was typed. */
  rest: string;
}

/**
 * Cuts a text that begins with phone numbers where its message begins, by three rules:
 *
 * 1. The message begins at the first word that is neither a number nor part of one: at `5` in `+2348031234567 5 items
 *    are ready`. A number written with spaces takes every group with which it still is a number.
 * 2. What looks meant as a number but is none (see `looksMeant`) is left among the numbers, so that it is reported
 *    instead of being sent to somebody as text.
 * 3. From the second line on, a line belongs to the message unless it holds numbers alone. So a message that begins
 *    with a number goes on a line of its own.
 */
export function splitNumbersFromText(text: string, defaultCountry: CountryCode): NumbersThenText {
  let end = 0;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const numbers = endOfNumbers(line, defaultCountry);
    const holdsText = line.slice(numbers).trim() !== '';
    if (numbers > 0 && (end === 0 || !holdsText)) {
      end = index + numbers;
    }
    if (holdsText) {
      break;
    }
  }
  if (end === 0) {
    return { numbersText: '', rest: text };
  }
  return { numbersText: text.slice(0, end).trim(), rest: text.slice(end).trimStart() };
}

/** As many words before the next comma as one number may be written in. */
const beforeSeparator = /^(?:[\s/]*[^\s/,;|]+){0,10}/;

/** Where the numbers at the beginning of a line end, with the separators after them; 0 where there are none. */
function endOfNumbers(line: string, country: CountryCode): number {
  let end = 0;
  for (;;) {
    const [words = ''] = line.slice(end).match(beforeSeparator) ?? [];
    const length = endOfRecipient(words, country);
    if (length === 0) {
      return end;
    }
    end += length;
    const [separators = ''] = line.slice(end).match(/^[\p{Cf}.:,;|>"'”’)]*(?:\s*[,;|](?=\s))*\s*/u) ?? [];
    end += separators.length;
  }
}

/** Where the first number of a text ends, or what looks meant as one; 0 where the text begins with neither. */
function endOfRecipient(text: string, country: CountryCode): number {
  const groups = groupsOf(text);
  const firstWord = groups.findIndex((group) => !/^(?:tel:)?[\p{Nd}\p{Pd}+().]+$/iu.test(group.text));
  const [stretch = []] = stretches(firstWord < 0 ? groups : groups.slice(0, firstWord), country);
  const number = stretch.findLast((_, index) => numberOf(stretch.slice(0, index + 1), country));
  return (number ?? (looksMeant(stretch) ? stretch.at(-1) : undefined))?.end ?? 0;
}

/** A plus and at least five digits, a leading zero and at least seven, or at least nine: an amount or a year is less. */
function looksMeant(groups: Group[]): boolean {
  const written = groups.map(({ text }) => text).join('');
  const digits = written.replace(/\D/g, '').length;
  if (written.includes('+')) {
    return digits >= 5;
  }
  return digits >= (/^\(?0/.test(written) ? 7 : 9);
}

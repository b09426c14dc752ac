import type { CountryCode } from '../phone/countries.ts';
import { type Group, groupsOf, numberOf, stretches } from '../phone/number-groups.ts';
import { isConjunction, whatsAppLink } from '../phone/read-numbers.ts';

/** A command's short form, split in two: `/sms +2348031234567, 0805 123 4567 Hello`. */
export interface NumbersThenText {
  /** For `readNumbers`; empty if the text does not begin with a number. */
  numbersText: string;
  /** The message from its first visible character on, unchanged. */
  rest: string;
}

/**
 * Splits a text that begins with phone numbers where its message begins, by three rules:
 *
 * 1. The message begins at the first word that is neither a number nor part of one: at `5` in `+2348031234567 5 items
 *    are ready`. A number written with spaces takes every group with which it is still a number.
 * 2. What is meant as a number but is not valid (see `isMeantAsNumber`) stays among the numbers, so that it is reported
 *    and not sent as text.
 * 3. From the second line on, a line belongs to the message unless it has only numbers. So a message that begins with a
 *    number has to be on a separate line.
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

/** The words before the next comma: at most as many as one number may be written in. */
const beforeSeparator = /^(?:[\s/]*[^\s/,;|&]+){0,10}/;
/** A word or a sign between two numbers. A plus that begins a number isn’t one. */
const betweenNumbers = /^(?:([\p{L}\p{M}]{1,8})\s+|[&/,;|]\s*|\+(?:\s+|(?=0)))/u;

/** Returns where the numbers at the beginning of a line end, including separators; 0 without numbers. */
function endOfNumbers(line: string, country: CountryCode): number {
  let end = 0;
  const lengthAt = (at: number) => endOfRecipient(line.slice(at), country);
  for (;;) {
    const length = lengthAt(end);
    if (length === 0) {
      return end;
    }
    end += length;
    const [separators = ''] = line.slice(end).match(/^[\p{Cf}.:,;|>"'”’)]*(?:\s*[,;|](?=\s))*\s*/u) ?? [];
    end += separators.length;
    const [between = '', word = '&'] = betweenNumbers.exec(line.slice(end)) ?? [];
    if (isConjunction(word) && lengthAt(end) === 0 && lengthAt(end + between.length) > 0) {
      end += between.length;
    }
  }
}

/** As long as a number in one piece, with O, I or L for 0 or 1. */
const lettersForDigits = /^(?=[^OIL]*[OIL])(?=(?:\D*\d){7})[+(]?[\dOIL.()-]{10,18}$/i;

const startingLink = new RegExp(
  `^[\\s/]*(?:sms(?:to)?:\\+?\\d{6,15}[?&;][^\\s,<>]*|<?${whatsAppLink.source}(?:(?:\\|[^<>]*)?>)?)`,
  'i',
);

/** Returns where the first number of a text ends, even a mistyped one; 0 if the text doesn't begin with a number. */
function endOfRecipient(text: string, country: CountryCode): number {
  const [link] = startingLink.exec(text) ?? [];
  if (link !== undefined) {
    return link.length;
  }
  const groups = groupsOf(beforeSeparator.exec(text)?.[0] ?? '');
  const [first] = groups;
  if (first !== undefined && first.text.length <= 20 && lettersForDigits.test(first.text)) {
    return first.end;
  }
  const firstWord = groups.findIndex(
    (group) => !/^(?:tel:|sms:|smsto:)?[\p{Nd}\p{Pd}+().]+$/iu.test(group.text),
  );
  const [stretch = []] = stretches(firstWord < 0 ? groups : groups.slice(0, firstWord), country);
  const number = stretch.findLast((_, index) => numberOf(stretch.slice(0, index + 1), country));
  return (number ?? (isMeantAsNumber(stretch) ? stretch.at(-1) : undefined))?.end ?? 0;
}

/** A plus and at least five digits, a leading zero and at least seven, or at least nine: amounts and years have fewer. */
function isMeantAsNumber(groups: Group[]): boolean {
  const written = groups.map(({ text }) => text).join('');
  const digits = written.replace(/\D/g, '').length;
  if (written.includes('+')) {
    return digits >= 5;
  }
  return digits >= (/^\(?0/.test(written) ? 7 : 9);
}

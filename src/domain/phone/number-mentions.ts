import { betweenDigits } from '../../lib/redact.ts';
import { type PhoneNumber, splitNumber } from './phone-number.ts';
import { plainCharacters } from './read-number.ts';

/** Finds one number in texts, in whatever spelling. */
export interface NumberMentions {
  areIn(text: string): boolean;
  /** Returns the text with `•••` in place of each number. */
  remove(text: string): string;
}

/** What takes the place of a number. */
export const removedNumber = '•••';

/**
 * Returns what finds a number: with or without its country code and the zero before it, with signs between its digits, in
 * the digits of any script. Where it is a part of a longer row of digits, it is another number.
 */
export function createNumberMentions(number: PhoneNumber): NumberMentions {
  const { countryCode, national } = splitNumber(number);
  const spell = (digits: string) => [...digits].join(betweenDigits);
  const countryPrefix = `(?:(?:\\+|00|011)${betweenDigits})?${spell(countryCode)}${betweenDigits}`;
  const trunkPrefix = `\\(?0\\)?${betweenDigits}`;
  const pattern = new RegExp(
    // A bare national number after another country's code is a number of that country.
    `(?<!\\d)(?:${countryPrefix}(?:${trunkPrefix})?|${trunkPrefix}|(?<!\\+\\d{1,3}${betweenDigits}))${spell(national)}(?!\\d)`,
    'gu',
  );
  const isPlain = (text: string) => text.replace(/\D+/g, '').includes(national);

  function areIn(text: string): boolean {
    // A text is plain if its digits, and the signs within its numbers, are all ASCII.
    const plain = /[^\P{Nd}0-9]|\p{Cf}/u.test(text) ? plainCharacters(text) : text;
    return isPlain(plain) && plain.search(pattern) >= 0;
  }

  return {
    areIn,
    remove(text) {
      if (!areIn(text)) {
        return text;
      }
      const removed = text.replace(pattern, removedNumber);
      return areIn(removed) ? plainCharacters(removed).replace(pattern, removedNumber) : removed;
    },
  };
}

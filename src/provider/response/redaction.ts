import type { Secret } from '../../lib/secret.ts';
import { oneLine } from './response-body.ts';

/** Takes out of what the provider sent what nobody may see. */
export interface Redaction {
  /** Out of a whole body: keys and tokens. */
  readonly body: (text: string) => string;
  /**
   * Out of the provider's words in an error, what it was given: query strings, phone numbers, codes, the text of a
   * message. A body cannot be rid of those, its ids may hold the same digits.
   */
  readonly message: (text: string) => string;
}

/** What of an operation's input must not be quoted from the provider's words. */
export interface RedactedInput {
  readonly code?: string | RegExp;
  readonly text?: string | undefined;
}

/** What a provider was given that it may repeat. */
interface Given {
  readonly secrets: readonly WithoutSecret[];
  /** Asked for only where there are words to clean. */
  readonly numbers: () => readonly string[];
  readonly concealed: RedactedInput;
}

export function createRedaction({ secrets, numbers, concealed: { code, text = '' } }: Given): Redaction {
  return {
    body: (text) => secrets.reduce((cleaned, withoutIt) => withoutIt(cleaned), text),
    message: (words) => {
      // First: it may hold numbers and addresses itself, and is not found without them.
      const rest = withoutText(words, oneLine(text)).replace(queryString, '?…');
      const masked = numbers().reduce(withoutNumber, rest);
      return code === undefined ? masked : masked.replaceAll(code, '[code]');
    },
  };
}

/** The query of an address, with or without what stands before its path. */
const queryString = /(?<=[\w/.-])\?[\w.%~[\]-]+=[^\s"'<>“”]*/g;

/** What is shorter cannot be told from ordinary words. No provider's key is. */
const shortest = 8;

type WithoutSecret = (text: string) => string;

/** Takes one secret out. */
export function secretRedactor(secret: Secret): WithoutSecret {
  let forms: readonly string[] | undefined;
  return (text) => {
    forms ??= formsOf(secret.reveal());
    return forms.reduce((cleaned, form) => cleaned.replaceAll(form, '[key]'), text);
  };
}

/** A secret may be repeated as it is, as it stands in an address, or as JSON may write its slashes. */
function formsOf(plain: string): readonly string[] {
  if (plain.length < shortest) {
    return [];
  }
  return [...new Set([plain, encodeURIComponent(plain), plain.replaceAll('/', '\\/')])];
}

/** Words are one line, and end where they would be too long: in the midst of the text, it may be. */
function withoutText(words: string, text: string): string {
  if (text.length < shortest) {
    return words;
  }
  const rest = words.replaceAll(text, '[text]');
  const opening = text.slice(0, shortest);
  for (let at = rest.indexOf(opening); at >= 0; at = rest.indexOf(opening, at + 1)) {
    if (text.startsWith(rest.slice(at).replace(/…$/, ''))) {
      return `${rest.slice(0, at)}[text]`;
    }
  }
  return rest;
}

/** Its end is left, so that one of a hundred can be found again. */
function withoutNumber(text: string, number: string): string {
  const end = `•••${number.slice(-4)}`;
  return text.replaceAll(`+${number}`, end).replaceAll(number, end);
}

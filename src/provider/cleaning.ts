import type { Secret } from '../secret.ts';

/** Takes out of what the provider sent what nobody may see. */
export interface Cleaning {
  /** Out of a whole body: keys and tokens. */
  readonly body: (text: string) => string;
  /**
   * Out of the provider's words in an error, what it was given: query strings, phone numbers, codes. A body cannot be
   * rid of those, its ids may hold the same digits.
   */
  readonly words: (text: string) => string;
}

/** What a provider was given that it may repeat. */
interface Given {
  readonly secrets: readonly WithoutSecret[];
  /** Asked for only where there are words to clean. */
  readonly numbers: () => readonly string[];
  readonly codes: string | RegExp | undefined;
}

export function cleaningOf({ secrets, numbers, codes }: Given): Cleaning {
  return {
    body: (text) => secrets.reduce((cleaned, withoutIt) => withoutIt(cleaned), text),
    words: (text) => {
      const masked = numbers().reduce(withoutNumber, text.replace(queryString, '?…'));
      return codes === undefined ? masked : masked.replaceAll(codes, '[code]');
    },
  };
}

/** The query of an address, with or without what stands before its path. */
const queryString = /(?<=[\w/.-])\?[\w.%~[\]-]+=[^\s"'<>“”]*/g;

/** Shorter than any key of a provider's; such a one cannot be told from ordinary text. */
const shortestSecret = 8;

type WithoutSecret = (text: string) => string;

/** Takes one secret out. */
export function withoutSecret(secret: Secret): WithoutSecret {
  let forms: readonly string[] | undefined;
  return (text) => {
    forms ??= formsOf(secret.reveal());
    return forms.reduce((cleaned, form) => cleaned.replaceAll(form, '[key]'), text);
  };
}

/** A secret may be repeated as it is, as it stands in an address, or as JSON may write its slashes. */
function formsOf(plain: string): readonly string[] {
  if (plain.length < shortestSecret) return [];
  return [...new Set([plain, encodeURIComponent(plain), plain.replaceAll('/', '\\/')])];
}

/** Its end is left, so that one of a hundred can be found again. */
function withoutNumber(text: string, number: string): string {
  const end = `•••${number.slice(-4)}`;
  return text.replaceAll(`+${number}`, end).replaceAll(number, end);
}

/**
 * Characters that phones, word processors and spreadsheets type by themselves, each with its twin in the SMS alphabet.
 * Letters have none: without its accent a word may be another word.
 */
const twins: Readonly<Record<string, string>> = {
  ...twinsOf('‐‑‒–—―−•·', '-'),
  ...twinsOf('‘’‚‛′ʼ', "'"),
  ...twinsOf('“”„‟″«»', '"'),
  ...twinsOf(
    '\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000',
    ' ',
  ),
  ...twinsOf('\u00AD\u200B\u2060\uFEFF', ''),
  ...{ '\u2028': '\n', '\u2029': '\n', '\t': ' ' },
  ...{ '…': '...', '₦': 'NGN ', '×': 'x', '™': '(TM)', '©': '(c)', '®': '(R)', '№': 'No.' },
  ...{ '½': '1/2', '¼': '1/4', '¾': '3/4', '→': '->', '✓': 'OK', '‹': '<', '›': '>' },
};

function twinsOf(characters: string, twin: string): Record<string, string> {
  return Object.fromEntries([...characters].map((character) => [character, twin]));
}

const replaceable = new RegExp(`[${Object.keys(twins).join('')}]`, 'gu');

/** Returns the text with every character that has a twin in the SMS alphabet replaced by it. */
export function toPlainText(text: string): string {
  return text.replace(replaceable, (character) => twins[character] ?? character);
}

/** Returns the characters that `toPlainText` replaces, in the order of their first occurrence, without duplicates. */
export function replaceableCharacters(text: string): string[] {
  return [...new Set(text.match(replaceable) ?? [])];
}

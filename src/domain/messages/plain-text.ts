/**
 * Characters that phones, word processors, spreadsheets and Slack type by themselves, each with its twin in the SMS alphabet.
 * Letters have no twins: without its accent a word may be another word.
 */
const twins: Readonly<Record<string, string>> = {
  ...twinsOf('‐‑‒–—―−•·', '-'),
  ...twinsOf('‘’‚‛′ʼ', "'"),
  ...twinsOf('“”„‟″«»', '"'),
  ...twinsOf(
    '\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000',
    ' ',
  ),
  ...twinsOf(
    '\u00AD\u200B\u2060\uFEFF\uFE0F\u20E3\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069',
    '',
  ),
  ...{ '\u2028': '\n', '\u2029': '\n', '\t': ' ' },
  ...{ '…': '...', '₦': 'NGN ', '×': 'x', '™': '(TM)', '©': '(c)', '®': '(R)', '№': 'No.' },
  ...{
    '🙂': ':)',
    '😄': ':D',
    '😉': ';)',
    '😞': ':(',
    '😢': ':(',
    '😛': ':P',
    '😮': ':o',
    '❤': '<3',
    '💔': '</3',
  },
  ...{ '✔': 'OK', '✅': 'OK', '➡': '->' },
  ...{ '½': '1/2', '¼': '1/4', '¾': '3/4', '→': '->', '✓': 'OK', '‹': '<', '›': '>' },
};

function twinsOf(characters: string, twin: string): Record<string, string> {
  return Object.fromEntries([...characters].map((character) => [character, twin]));
}

const withTwin = `[${Object.keys(twins).join('')}]`;
const replaceable = new RegExp(withTwin, 'gu');
/** Pictographs, the letters of flags, and skin tones. */
const pictograph = '[\\p{Extended_Pictographic}\\u{1F1E6}-\\u{1F1FF}\\u{1F3FB}-\\u{1F3FF}]';
const emoji = new RegExp(`\\u200D?${pictograph}(?:${pictograph}|[\\u200D\\u{E0020}-\\u{E007F}])*`, 'u');
const changed = new RegExp(`\\p{RGI_Emoji}|${withTwin}|${pictograph}`, 'gv');

/** Returns the text with every character that has a twin in the SMS alphabet replaced by it, and without other emoji. */
export function toPlainText(text: string): string {
  const pieces = text.replace(replaceable, (character) => twins[character] ?? character).split(emoji);
  return pieces
    .map((piece, at) => (at === 0 ? piece : piece.replace(/^ +/, '')))
    .map((piece, at) => (at === pieces.length - 1 ? piece : piece.replace(/(?<! ) +$/, '')))
    .filter((piece) => piece !== '')
    .map((piece, at, kept) => {
      const isApart = at > 0 && kept[at - 1]?.endsWith('\n') === false && !/^[\n.,;:!?)]/.test(piece);
      return isApart ? ` ${piece}` : piece;
    })
    .join('');
}

/** Returns the characters that `toPlainText` replaces or removes, each once, by first occurrence. */
export function replaceableCharacters(text: string): string[] {
  return [...new Set(text.match(changed) ?? [])];
}

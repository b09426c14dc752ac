import { hasLink } from '../deliveries/delivery-check.ts';
import { countPages } from './pages.ts';

/** Letters with accents: plain SMS lacks most of them. A word may mean something else without its accents, so a person decides. */

/** Letters that Unicode does not decompose (Hausa, Fula, Ewe and others), each followed by its plain one. */
const pairs =
  'ɓb ɗd ɖd đd ðd ɛe əe ǝe ƒf ɠg ǥg ɣg ħh ɦh ɨi ɩi ıi ƙk ĸk łl ɲn ŋn ɔo ƥp ŧt ƭt ʉu ʊu ʋv ƴy ƶz ' +
  'ƁB ƊD ƉD ĐD ÐD ƐE ƏE ƎE ƑF ƓG ǤG ƔG ĦH ƗI ƖI ƘK ŁL ƝN ŊN ƆO ƤP ŦT ƬT ɄU ƱU ƲV ƳY ƵZ ' +
  "œoe ŒOE þth ÞTh ẞSS ŀl ĿL ŉ'n ʼ' ꞌ' Ꞌ'";

const plainLetters = new Map(pairs.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]));

/** A word, a link or a column; a column may have spaces in it. */
const piece = /(?:\{\{[^{}]*\}\}|\S)+/g;
/** A column stays as it is written; a letter has its accents behind it. */
const columnOrLetter = /\{\{[^{}]*\}\}|[ʼꞌꞋ]|(?=\p{L})\p{Script=Latin}\p{M}*/gu;

/** Returns the text with plain letters. Links and columns stay as they are. */
export function withoutAccents(text: string): string {
  return replaceLetters(text, toPlain);
}

/** Returns the letters that `withoutAccents` changes, each with its plain one, in order and without duplicates. */
export function accentedLetters(text: string): [letter: string, plain: string][] {
  const found = new Map<string, string>();
  replaceLetters(text, (letter) => {
    const plain = toPlain(letter);
    if (plain !== letter) {
      found.set(letter.normalize('NFC'), plain);
    }
    return plain;
  });
  return [...found];
}

/** Returns the text to send, and the typed one if accents were removed. */
export function textToSend(typed: string, isWithoutAccents: boolean): { text: string; accented?: string } {
  const text = isWithoutAccents ? withoutAccents(typed) : typed;
  return text === typed ? { text } : { text, accented: typed };
}

/** Whether accents are among what keeps a text from being sent as plain SMS. */
export function areAccentsInTheWay(text: string): boolean {
  const { unicode } = countPages(text);
  return unicode.length > 0 && countPages(withoutAccents(text)).unicode.length < unicode.length;
}

function replaceLetters(text: string, replace: (letter: string) => string): string {
  if (isAscii.test(text)) {
    return text;
  }
  return text.replace(piece, (word) =>
    isAscii.test(word) || hasLink(word)
      ? word
      : word.replace(columnOrLetter, (found) => (found.startsWith('{{') ? found : replace(found))),
  );
}

const isAscii = /^[\0-\x7F]*$/;

function toPlain(letter: string): string {
  // A raised letter such as ᴲ may become one of the pairs.
  return [...bare(letter, 'NFD')]
    .flatMap((each) => plainLetters.get(each) ?? [...bare(each, 'NFKD')])
    .map((each) => plainLetters.get(each) ?? each)
    .join('');
}

function bare(letter: string, form: 'NFD' | 'NFKD'): string {
  return letter.normalize(form).replace(/\p{M}/gu, '');
}

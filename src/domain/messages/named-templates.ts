/** Of the name of a template, in characters. */
export const maxTemplateName = 60;

/** Returns what names of the same template have in common: they may differ in capitals and spaces. */
export function templateKey(name: string): string {
  return name.trim().replace(/\s+/g, ' ').normalize('NFC').toLowerCase();
}

/** What was typed to use a template: `Order ready +2348031234567`. */
export interface TypedTemplate<Named> {
  found: Named | undefined;
  /** The name as it was typed; of one that is not found, what stands before the numbers. */
  name: string;
  /** What follows the name. */
  rest: string;
}

/** What ends a name that begins with the quotation mark. */
const closingMarks: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '”': '”',
  '„': '“',
  '‘': '’',
  '’': '’',
  '«': '»',
};
const beginsLikeNumber = /^[\s,;]*(?:tel:)?[+(]*\p{Nd}/iu;

/**
 * Reads the name of a template, quoted or not, and what follows it: the longest name that the text begins with. Where
 * something other than numbers follows, a name was meant that is not there.
 */
export function readTypedTemplate<Named extends { name: string }>(
  typed: string,
  named: readonly Named[],
): TypedTemplate<Named> {
  const text = typed.trim();
  const byKey = new Map(named.map((each) => [templateKey(each.name), each]));
  const [longest] = [...quotedNames(text), ...beginnings(text)]
    .filter(({ name }) => byKey.has(templateKey(name)))
    .sort((one, other) => other.end - one.end);
  const rest = longest === undefined ? '' : text.slice(longest.end).trimStart();
  if (longest !== undefined && (rest === '' || beginsLikeNumber.test(rest))) {
    return { found: byKey.get(templateKey(longest.name)), name: longest.name, rest };
  }
  const name = quotedNames(text)[0]?.name ?? /^\S*(?:\s+(?![+(]*\p{Nd})\S+)*/u.exec(text)?.[0] ?? '';
  return { found: undefined, name, rest: '' };
}

/** A name that a text may begin with, and where it ends. */
interface Beginning {
  name: string;
  end: number;
}

/** The first words, and those before the last of them. */
function beginnings(text: string): Beginning[] {
  const words = [...text.slice(0, maxLookedAt).matchAll(/\S+/g)].slice(0, maxTemplateName);
  const ends = words.map(({ 0: word, index }) => index + word.length);
  // A word that goes on after what is looked at is longer than any name.
  return ends.filter((end) => end < maxLookedAt).map((end) => ({ name: text.slice(0, end), end }));
}

/** What stands in quotation marks; it may have such marks itself. */
function quotedNames(text: string): Beginning[] {
  const closing = closingMarks[text.charAt(0)];
  const looked = text.slice(0, maxLookedAt);
  const ends = [...looked.split('').keys()].filter((index) => index > 0 && looked[index] === closing);
  return ends.map((end) => ({ name: text.slice(1, end), end: end + 1 }));
}

/** In characters: a name, with as many spaces between its words as people type. */
const maxLookedAt = 4 * maxTemplateName;

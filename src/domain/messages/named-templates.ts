/** Of the name of a template, in characters. */
export const maxTemplateName = 60;

/** Returns what names of the same template have in common: they may differ in capitals and spaces. */
export function templateKey(name: string): string {
  return name.trim().replace(/\s+/g, ' ').normalize('NFC').toLowerCase();
}

const beginsLikeNumber = /^(?:tel:)?[+(]*\p{Nd}/iu;
/** In characters: a name, with as many spaces between its words as people type. */
const maxLookedAt = 4 * maxTemplateName;

/**
 * Reads `Order ready +2348031234567`: the longest name that the text begins with, quoted or not, and the rest. If the rest is
 * not a number, no template has the typed name; `name` is the typed text, without
 * numbers, which are in `rest`.
 */
export function readTypedTemplate<Named extends { name: string }>(
  typed: string,
  named: readonly Named[],
): { found: Named; rest: string } | { found: undefined; name: string; rest: string } {
  const text = typed.trim();
  const byKey = new Map(named.map((each) => [templateKey(each.name), each]));
  const words = [...text.slice(0, maxLookedAt).matchAll(/\S+/g)];
  for (const { 0: word, index } of words.toReversed()) {
    const begin = text.slice(0, index + word.length);
    const found = byKey.get(templateKey(begin)) ?? byKey.get(templateKey(unquoted(begin)));
    const rest = text.slice(begin.length);
    if (found !== undefined && /^(?:\s|$)/.test(rest)) {
      const numbers = rest.trimStart();
      if (numbers === '' || beginsLikeNumber.test(numbers)) {
        return { found, rest: numbers };
      }
      break;
    }
  }
  const [name = ''] = /^\S*(?:\s+(?![+(]*\p{Nd})\S+)*/u.exec(text) ?? [];
  const rest = text.slice(name.length).trimStart();
  return { found: undefined, name: unquoted(name).slice(0, maxTemplateName), rest };
}

function unquoted(text: string): string {
  return /^["'“”„‘’«](.+)["'“”‘’»][,:;]?$/su.exec(text)?.[1] ?? text;
}

/** A line names at most this many; the text itself shows the others. */
const maxNamed = 8;

/** Returns the characters, separated by spaces, and how many more there are. */
export function listCharacters(characters: readonly string[]): string {
  const named = characters.slice(0, maxNamed).map((character) => invisibles[character] ?? character);
  const more = characters.length - named.length;
  return `${named.join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Characters that nobody sees get a name. */
const invisibles: Readonly<Record<string, string>> = {
  '\t': 'tab',
  '\u00A0': 'non-breaking space',
  '\u00AD': 'soft hyphen',
  '\u200B': 'zero-width space',
  '\u202F': 'narrow space',
  '\u2009': 'thin space',
  '\uFEFF': 'byte order mark',
};

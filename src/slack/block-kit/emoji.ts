import names from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/** The emoji by the names that Slack has for them. A workspace's own emoji are unknown here. */
function readNames(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries<string | string[]>(names).flatMap(([code, named]) => {
      const character = String.fromCodePoint(...code.split('-').map((hex) => Number.parseInt(hex, 16)));
      // Without the variation selector, phones show a black and white sign.
      const isWhole = code.includes('-') || /\p{Emoji_Presentation}/u.test(character);
      return [named].flat().map((name) => [name, isWhole ? character : `${character}\uFE0F`] as const);
    }),
  );
}

/**
 * An address, or the name of an emoji, perhaps with a tone. Slack shows one beside and inside words too: `ready:tada:`. A short
 * name inside a word is a part of a code, and so are digits beside a word: `size:ok:set`, `12:30:45`, `Ref:100:ok`.
 */
function addressOrName(known: Iterable<string>): RegExp {
  const letter = '[\\p{L}\\p{N}]';
  const named = [...known].map(RegExp.escape).join('|');
  return new RegExp(
    [
      '(?<![a-zA-Z\\d+.-])[a-zA-Z][a-zA-Z\\d+.-]*://\\S*',
      `(?<!${letter}(?=:\\d+:|:[a-z\\d]{1,3}:${letter})):(${named}):(?!(?<=:\\d+:)${letter})(?::(skin-tone-[2-6]):)?`,
    ].join('|'),
    'gu',
  );
}

/** Made at first use: most texts have no colon, and the program starts sooner without it. */
let table: { characters: ReadonlyMap<string, string>; pattern: RegExp } | undefined;

/** Replaces the names that Slack types for emoji, such as `:tada:`, by the emoji. Unknown names and addresses stay. */
export function withEmoji(text: string): string {
  if (!text.includes(':')) {
    return text;
  }
  const characters = table?.characters ?? readNames();
  table ??= { characters, pattern: addressOrName(characters.keys()) };
  return text.replace(table.pattern, (written, name: string | undefined, tone: string | undefined) => {
    const emoji = name && characters.get(name);
    // The tone follows the first character, in place of its variation selector.
    return tone === undefined || !emoji
      ? (emoji ?? written)
      : emoji.replace(/^(.)\uFE0F?/u, `$1${characters.get(tone) ?? ''}`);
  });
}

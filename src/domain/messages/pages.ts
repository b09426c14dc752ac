/** The length of a text in pages of SMS, which is what it costs. */
export interface PageCount {
  /** UTF-16 code units, as Unicode SMS count them: an emoji is two or more, and an estimate is never too low. */
  characters: number;
  /** By the provider's rule, by which it bills; 0 for an empty text. */
  pages: number;
  /** 70 if the text has a special character or needs Unicode, else 160 (API §1). */
  perPage: 160 | 70;
  /** The special characters in the text, in the order of their first occurrence, without duplicates. */
  special: string[];
  /** Whether the text has characters that plain SMS cannot carry, such as emoji and other scripts. */
  needsUnicode: boolean;
  /** The characters that plain SMS cannot carry, and whole emoji, without duplicates. */
  unicode: string[];
  /** The length by the standard, GSM 03.38. `units` are septets in GSM-7, code units in UCS-2. */
  standard: { encoding: 'GSM-7' | 'UCS-2'; units: number; pages: number };
}

/** The provider's special characters (two slashes count as one), and all typographic quotation marks (API §1). */
const special = /\/\/|[;'"`^{}\\[\]~|€‘’“”]/g;

/** Characters as a reader sees them: an emoji of several is one. */
const symbols = /\p{RGI_Emoji}|./gsv;

/** The alphabet of GSM 03.38 and, at two septets each, its extension. */
const alphabet = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extension = new Set('\f^{}\\[~]|€');

/** Counts the pages of a message by the provider's rule and by the standard. */
export function countPages(text: string): PageCount {
  const specialFound = distinct(text.match(special) ?? []);
  const rest = text.replace(special, '');
  const isBeyond = (symbol: string) => [...symbol].some((character) => septets(character) === 0);
  const unicode = isBeyond(rest) ? distinct((rest.match(symbols) ?? []).filter(isBeyond)) : [];
  const perPage = specialFound.length > 0 || unicode.length > 0 ? 70 : 160;
  const characters = [...text];
  const isStandard = characters.every((character) => septets(character) > 0);
  return {
    characters: text.length,
    pages: Math.ceil(text.length / perPage),
    perPage,
    special: specialFound,
    needsUnicode: unicode.length > 0,
    unicode,
    standard: isStandard
      ? { encoding: 'GSM-7', ...fill(characters.map(septets), 160, 153) }
      : {
          encoding: 'UCS-2',
          ...fill(
            characters.map(({ length }) => length),
            70,
            67,
          ),
        },
  };
}

/** Returns the length of a character in GSM-7; 0 if GSM-7 does not have it. */
function septets(character: string): number {
  if (alphabet.has(character)) {
    return 1;
  }
  return extension.has(character) ? 2 : 0;
}

/** Fills one page, or the parts of a longer message. A character of two units is never split between parts. */
function fill(sizes: number[], page: number, part: number): { units: number; pages: number } {
  const units = sizes.reduce((sum, size) => sum + size, 0);
  if (units <= page) {
    return { units, pages: Math.ceil(units / page) };
  }
  let pages = 1;
  let room = part;
  for (const size of sizes) {
    if (size > room) {
      pages += 1;
      room = part;
    }
    room -= size;
  }
  return { units, pages };
}

function distinct(characters: readonly string[]): string[] {
  return [...new Set(characters)];
}

import fc from 'fast-check';

/** User text: long, of any script, with emoji, and with mentions that must be escaped. */
export const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(
    '<!channel>',
    '*_~`&<>',
    '\u202E0803',
    'مرحبا',
    '👩‍👩‍👧‍👦'.repeat(40),
    '&'.repeat(5_000),
    'Ж'.repeat(4_000),
  ),
);

const characters = 0x11_0000;
const halves = { from: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`. The built-in `binary` builds a table of
 * all characters in each process, which takes a second and 140 MB.
 */
export const anyCharacter = fc.nat(characters - halves.count - 1).map(
  (index) => String.fromCodePoint(index < halves.from ? index : index + halves.count),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== character) {
      throw new Error('not one character');
    }
    return code < halves.from ? code : code - halves.count;
  },
);

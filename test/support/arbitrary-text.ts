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

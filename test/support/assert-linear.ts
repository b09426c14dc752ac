import assert from 'node:assert/strict';
import fc from 'fast-check';

type Parser = (text: string) => unknown;

/** Each is eight times the previous: linear time grows by 8, quadratic time by 64. */
const lengths = [250, 2000, 16_000];
/** Between the two, with room for caches and garbage collection. */
const maxRatio = 24;
/** Milliseconds that can be compared. */
const comparable = 6;
const negligible = 0.1;

/** A text that makes a careless pattern slow: a repeated part, with something before and after it. */
export interface Evil {
  prefix?: string;
  pump: string;
  suffix?: string;
}

const signs = [...' \t\n\r01aZ+-().,;|/:<>[]{}"\'`&\\_=@?%*#$…é٠😀\u200B\u00A0＋'];
const pieces = [
  ...[
    '0 ',
    '1 ',
    '+1 ',
    '+1234 ',
    '0803 ',
    '0803 123 ',
    '(0) ',
    '1-',
    '1/',
    '1,',
    '1,234,',
    '8.03E+',
    '1.0',
    '00',
  ],
  ...[
    'a ',
    'a1 ',
    'a:',
    'a - ',
    '- ',
    ': ',
    ', ',
    '. ',
    '.a',
    '"a"',
    '""',
    "'a",
    '\\"',
    '[0:0',
    '0:00',
    '1. ',
    '1) ',
  ],
  ...[
    '<<',
    '<a|',
    '<tel:',
    '<tel:|',
    '<!date^|',
    '<title',
    '&<',
    '&amp;',
    '{{',
    '}}',
    '{{a',
    '{{a|',
    '{{a}}',
    '{"a":',
  ],
  ...[
    'otp ',
    'code ',
    '2fa, ',
    '1234 is your ',
    '1234 to ',
    '2 0 ',
    '123 456 ',
    '/?a=',
    'a@',
    'a.',
    '404:{',
    '🇳🇬',
    'e\u0301',
  ],
];

/** A repeated character or piece, with an ending that fails to match, or between two that match. */
const evils: readonly Evil[] = [
  ...[...signs, ...pieces].map((pump) => ({ pump, suffix: '\0!' })),
  ...signs.map((pump) => ({ prefix: 'a', pump, suffix: '0' })),
];

const piece = fc.constantFrom(...signs, ...pieces);
const pumped: fc.Arbitrary<Evil> = fc.record({
  prefix: fc.string({ unit: piece, maxLength: 3 }),
  pump: fc.string({ unit: piece, minLength: 1, maxLength: 3 }),
  suffix: fc.string({ unit: piece, maxLength: 2 }),
});

/** Throws where a parser's time grows faster than the length of the text. */
export function assertLinear(name: string, parse: Parser): void {
  for (const evil of evils) {
    assertGrowth(name, parse, evil);
  }
  fc.assert(
    fc.property(pumped, (evil) => assertGrowth(name, parse, evil)),
    { numRuns: 20 },
  );
}

function assertGrowth(name: string, parse: Parser, { prefix = '', pump, suffix = '' }: Evil): void {
  const texts = lengths.map((length) => prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix);
  let before: { text: string; took: number } | undefined;
  for (const text of texts) {
    let took = timeOf(parse, text);
    // Other work in the process only adds time, so the minimum of several runs is the most accurate.
    for (let run = 0; run < 12 && before !== undefined && isSteep(before.took, took); run += 1) {
      took = Math.min(took, timeOf(parse, text));
      before.took = Math.max(before.took, timeOf(parse, before.text));
    }
    if (before !== undefined && isSteep(before.took, took)) {
      const [first, last] = [before.took.toFixed(1), took.toFixed(1)];
      assert.fail(
        `${name} takes ${first} ms for ${before.text.length} characters and ${last} ms for ${text.length}: ` +
          JSON.stringify({ prefix, pump, suffix }),
      );
    }
    if (took >= comparable) {
      return;
    }
    before = { text, took };
  }
}

function isSteep(before: number, took: number): boolean {
  return took >= comparable && took / Math.max(before, negligible) > maxRatio;
}

/** Milliseconds. The kernel counts the CPU time of a thread by ticks of several of them, which is too coarse. */
function timeOf(parse: Parser, text: string): number {
  // A flat copy: a concatenated string is flattened on its first read.
  const flat = Buffer.from(text, 'utf16le').toString('utf16le');
  const begin = performance.now();
  parse(flat);
  return performance.now() - begin;
}

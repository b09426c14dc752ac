import assert from 'node:assert/strict';
import fc from 'fast-check';

type Parser = (text: string) => unknown;

/** Each eight times as long as the one before: what is linear takes eight times as long, what is quadratic 64 times. */
const lengths = [250, 2000, 16_000];
/** Between the two, with room for caches and the collection of garbage. */
const maxRatio = 24;
/** A time that can be compared, in milliseconds of the processor. */
const comparable = 6;
const negligible = 0.1;

/** A text that may take a careless pattern long: what is repeated, with something before and after it. */
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

/** The same sign or piece over and over, with what ends it wrongly, or between two that are right. */
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

/** Throws where the time that a parser takes grows faster than the text. */
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
    // What else happens in the process only adds to a time: the least of some is nearest to the truth.
    for (let run = 0; run < 3 && before !== undefined && isSteep(before.took, took); run += 1) {
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

/** Milliseconds of the processor for this process alone, whatever else the machine does. */
function timeOf(parse: Parser, text: string): number {
  // A copy in one piece: a text that was put together is made one when it is first read.
  const flat = Buffer.from(text, 'utf16le').toString('utf16le');
  const begin = process.cpuUsage();
  parse(flat);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

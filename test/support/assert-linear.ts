import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rounds } from './sizes.ts';

type Parser = (text: string) => unknown;

/** Each is eight times the previous: linear time grows by 8, quadratic time by 64. */
const lengths = [125, 1000, 8000];
/** Between the two, with room for caches and garbage collection. */
const maxRatio = 24;
/** Milliseconds that can be compared. */
const comparable = 6;
const negligible = 0.1;
/** Milliseconds of CPU time. The kernel counts in ticks of up to four. */
const measurable = 60;

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
    { numRuns: rounds(20) },
  );
}

function assertGrowth(name: string, parse: Parser, { prefix = '', pump, suffix = '' }: Evil): void {
  const texts = lengths.map((length) => prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix);
  let before: { text: string; took: number } | undefined;
  for (const text of texts) {
    let took = timeOf(parse, text);
    for (let run = 1; run < 4 && before !== undefined && isSteep(before.took, took); run += 1) {
      took = Math.min(took, timeOf(parse, text));
    }
    // Elapsed time includes other work on the machine. CPU time doesn't, but takes longer to measure.
    if (before !== undefined && isSteep(before.took, took)) {
      const [first, last] = [cpuTimeOf(parse, before.text), cpuTimeOf(parse, text)];
      assert.ok(
        !isSteep(first, last),
        `${name} takes ${first.toFixed(1)} ms for ${before.text.length} characters and ${last.toFixed(1)} ms for ` +
          `${text.length}: ${JSON.stringify({ prefix, pump, suffix })}`,
      );
      return;
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

/** A flat copy: a concatenated string is flattened on its first read. */
const flat = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** Milliseconds. */
function timeOf(parse: Parser, text: string): number {
  const copy = flat(text);
  const begin = performance.now();
  parse(copy);
  return performance.now() - begin;
}

/** Milliseconds of CPU time, averaged over enough runs to measure it. */
function cpuTimeOf(parse: Parser, text: string): number {
  const begin = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    parse(flat(text));
    const { user, system } = process.threadCpuUsage(begin);
    const took = (user + system) / 1000;
    if (took >= measurable) {
      return took / runs;
    }
  }
}

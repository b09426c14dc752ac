import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { z } from 'zod';
import type { Evil } from './linear/growth.ts';
import { everySeed, rounds, sampled } from './sizes.ts';

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
  ...[...signs, ...pieces].map((pump) => ({ prefix: '', pump, suffix: '\0!' })),
  ...signs.map((pump) => ({ prefix: 'a', pump, suffix: '0' })),
];

/** In characters: long enough to tell linear work from quadratic, as the steps are counted exactly. */
const length = 30;

const piece = fc.constantFrom(...signs, ...pieces);
const pumped: fc.Arbitrary<Evil> = fc.record({
  prefix: fc.string({ unit: piece, maxLength: 3 }),
  pump: fc.string({ unit: piece, minLength: 1, maxLength: 3 }),
  suffix: fc.string({ unit: piece, maxLength: 2 }),
});

let worker: Worker | undefined;
const answerSchema = z.object({ steep: z.string().optional(), error: z.string().optional() });

/**
 * Rejects where the work of a parser grows faster than the length of the text. The work is counted, not timed.
 *
 * @param module the address of the module that exports `parsers`, which is loaded once more, with counters in it.
 */
export async function assertLinear(module: URL, name: string): Promise<void> {
  worker ??= new Worker(new URL('linear/worker.ts', import.meta.url), { execArgv: [] });
  worker.ref();
  const random = fc.sample(pumped, { seed: everySeed, numRuns: rounds(20) });
  // The samples of different parsers begin at different texts, so that together they try all of them.
  const tried = sampled(evils.slice(name.length % 5));
  worker.postMessage({ module: module.href, name, evils: [...tried, ...random], length });
  const [answer] = await once(worker, 'message');
  worker.unref();
  const { steep, error } = answerSchema.parse(answer);
  assert.equal(error, undefined);
  assert.equal(steep, undefined, `${name} takes ${steep}`);
}

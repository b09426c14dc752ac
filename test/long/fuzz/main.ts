import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { asTest } from '../../support/app/app-process.ts';
import { assertSound } from './assert-sound.ts';
import { fuzz } from './fuzz.ts';

/** `npm run fuzz -- --requests 20000 --seed 7` sends malformed requests to the program; 100,000 unless said otherwise. */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);

await asTest(async (test) => {
  const { faults, ...fuzzed } = await fuzz(test, { requests: Number(values.requests), seed });
  console.log(fuzzed);
  assertSound({ faults, ...fuzzed });
  console.log(
    'No crash, no answer of 500 or above, no unhandled rejection, nothing sent that is not recorded of somebody who may send.',
  );
});

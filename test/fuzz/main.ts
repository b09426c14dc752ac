import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { assertSound } from './assert-sound.ts';
import { fuzz } from './fuzz.ts';

/** `npm run fuzz -- --requests 100000 --seed 7` sends malformed requests to the program. */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '5000' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);

const ends: (() => void | Promise<void>)[] = [];
try {
  const { faults, ...fuzzed } = await fuzz(
    { after: (end) => ends.unshift(end) },
    { requests: Number(values.requests), seed },
  );
  console.log(fuzzed);
  assertSound({ faults, ...fuzzed });
  console.log('No crash, no answer of 500 or above, nothing sent that is not written down.');
} finally {
  for (const end of ends) {
    await end();
  }
}

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { assertSound } from './assert-sound.ts';
import { fuzz } from './fuzz.ts';

test('5,000 odd requests end, block and swell nothing, and send nothing unasked', async (t) => {
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: again with FUZZ_SEED=${seed}`);
  const fuzzed = await fuzz(t, { requests: 5_000, seed });
  t.diagnostic(JSON.stringify(fuzzed.statuses));
  assertSound(fuzzed);
  assert.ok((fuzzed.statuses[200] ?? 0) > 1_000, 'most of the requests were not understood');
});

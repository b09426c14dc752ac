import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { sizeOf } from '../../support/sizes.ts';
import { assertSound } from './assert-sound.ts';
import { fuzz } from './fuzz.ts';

const requests = sizeOf('malformed requests');

test(`${requests.toLocaleString('en')} malformed requests crash, block or leak nothing, and send nothing unasked`, async (t) => {
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: again with FUZZ_SEED=${seed}`);
  const fuzzed = await fuzz(t, { requests, seed });
  t.diagnostic(JSON.stringify(fuzzed.statuses));
  assertSound(fuzzed);
  assert.ok((fuzzed.statuses[200] ?? 0) > requests / 5, 'most of the requests were not understood');
});

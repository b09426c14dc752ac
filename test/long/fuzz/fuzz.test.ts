import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { assertSound } from './assert-sound.ts';
import { fuzz } from './fuzz.ts';

const requests = sizeOf('malformed requests');

test(`${requests.toLocaleString('en')} malformed requests crash, block or leak nothing, and send nothing unasked`, async (t) => {
  const seed = everySeed;
  t.diagnostic(`seed ${seed}`);
  const fuzzed = await fuzz(t, { requests, seed });
  t.diagnostic(JSON.stringify(fuzzed.statuses));
  assertSound(fuzzed);
  assert.ok((fuzzed.statuses[200] ?? 0) > requests / 5, 'most of the requests were not understood');
});

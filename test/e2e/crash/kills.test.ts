import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { assertKept, crash } from './kills.ts';

test('campaigns survive 50 kills: nobody gets a message twice, and nobody is forgotten', async (t) => {
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: again with CRASH_SEED=${seed}`);
  const crashes = await crash(t, { runs: 50, seed });
  assertKept(crashes);
  assert.ok(
    crashes.inDoubt.some((recipients) => recipients > 0),
    'no kill met a request in flight',
  );
});

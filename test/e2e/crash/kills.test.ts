import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { mainFile } from '../../support/app/app-process.ts';
import { assertNoneLostOrRepeated, runKills } from './kills.ts';

test('campaigns survive 50 kills: nobody gets a message twice, and nobody is forgotten', async (t) => {
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: repeat with CRASH_SEED=${seed}`);
  const result = await runKills(t, { runs: 50, seed });
  assertNoneLostOrRepeated(result);
  assert.ok(
    result.inDoubt.some((recipients) => recipients > 0),
    'no kill interrupted a request in flight',
  );
});

test('they survive kills of what runs while developing, too', async (t) => {
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: repeat with CRASH_SEED=${seed}`);
  assertNoneLostOrRepeated(await runKills(t, { runs: 3, seed, file: mainFile }));
});

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { mainFile } from '../../support/app/app-process.ts';
import { sizeOf } from '../../support/sizes.ts';
import { assertNoneLostOrRepeated, runKills } from './kills.ts';

const kills = sizeOf('kills of the bundle');

test(`campaigns survive ${kills} kills: nobody gets a message twice, and nobody is forgotten`, async (t) => {
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: repeat with CRASH_SEED=${seed}`);
  const result = await runKills(t, { runs: kills, seed });
  assertNoneLostOrRepeated(result);
  assert.ok(
    result.inDoubt.some((recipients) => recipients > 0),
    'no kill interrupted a request in flight',
  );
});

test('they survive kills of what runs while developing, too', async (t) => {
  const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
  t.diagnostic(`seed ${seed}: repeat with CRASH_SEED=${seed}`);
  assertNoneLostOrRepeated(await runKills(t, { runs: sizeOf('kills of the sources'), seed, file: mainFile }));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mainFile } from '../../support/app/app-process.ts';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { assertNoneLostOrRepeated, runKills } from './kills.ts';

const kills = sizeOf('kills of the bundle');

test(`campaigns survive ${kills} kills: nobody gets a message twice, and nobody is forgotten`, async (t) => {
  const result = await runKills(t, { runs: kills, seed: everySeed });
  assertNoneLostOrRepeated(result);
  assert.ok(
    result.inDoubt.some((recipients) => recipients > 0),
    'no kill interrupted a request in flight',
  );
});

test('they survive kills of what runs while developing, too', async (t) => {
  assertNoneLostOrRepeated(
    await runKills(t, { runs: sizeOf('kills of the sources'), seed: everySeed, file: mainFile }),
  );
});

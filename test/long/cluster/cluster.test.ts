import { test } from 'node:test';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { assertWhole, runDeaths } from './deaths.ts';

const rounds = sizeOf('deaths of instances');

test(`${rounds} deaths and stops of three instances: nobody gets a message twice, and nobody is forgotten`, async (t) => {
  const result = await runDeaths(t, { rounds, seed: everySeed });
  t.diagnostic(
    `${result.kills} kills; ${result.clicks.sent} clicks; ${Math.round(result.longestPauseMs)} ms at most without a request`,
  );
  assertWhole(result);
});

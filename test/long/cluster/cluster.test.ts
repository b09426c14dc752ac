import { test } from 'node:test';
import { sizeOf } from '../../support/sizes.ts';
import { assertWhole, runDeaths } from './deaths.ts';

const rounds = sizeOf('deaths of instances');

test(`${rounds} deaths and stops of three instances: nobody gets a message twice, and nobody is forgotten`, async (t) => {
  const seed = Number(process.env.CLUSTER_SEED ?? 30);
  t.diagnostic(`seed ${seed}: repeat with CLUSTER_SEED=${seed}`);
  const result = await runDeaths(t, { rounds, seed });
  t.diagnostic(
    `${result.kills} kills; ${result.clicks.sent} clicks; ${Math.round(result.longestPauseMs)} ms at most without a request`,
  );
  assertWhole(result);
});

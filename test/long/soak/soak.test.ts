import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPostgresDatabase, testedDatabase } from '../../support/store/databases.ts';
import { soak } from './soak.ts';
import { faultsOf, reportOf } from './soak-report.ts';

const skip =
  process.env.CI === 'true' ? false : 'it takes two minutes: it runs in CI, and by hand with `npm run soak`';

test(`two minutes of people at work on ${testedDatabase}: everything is told, memory and handles are flat`, {
  skip,
}, async (t) => {
  const seed = Number(process.env.SOAK_SEED ?? 14);
  t.diagnostic(`seed ${seed}: repeat with SOAK_SEED=${seed}`);
  const databaseUrl =
    testedDatabase === 'postgres' ? (await createPostgresDatabase()).url.reveal() : undefined;
  const soaked = await soak(t, { minutes: 2, seed, databaseUrl });
  for (const line of reportOf(soaked)) {
    t.diagnostic(line);
  }
  assert.deepEqual(faultsOf(soaked), []);
});

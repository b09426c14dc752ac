import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everySeed } from '../../support/sizes.ts';
import { createPostgresDatabase, forEachDatabase } from '../../support/store/databases.ts';
import { soak } from './soak.ts';
import { faultsOf, reportOf } from './soak-report.ts';

forEachDatabase((database) => {
  test('a minute of people at work: everything is told, memory and handles are flat', async (t) => {
    const databaseUrl = database === 'postgres' ? (await createPostgresDatabase()).url.reveal() : undefined;
    const soaked = await soak(t, { minutes: 1, seed: everySeed, databaseUrl });
    for (const line of reportOf(soaked)) {
      t.diagnostic(line);
    }
    assert.deepEqual(faultsOf(soaked), []);
  });
});

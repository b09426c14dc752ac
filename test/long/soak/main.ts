import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { asTest } from '../../support/app/app-process.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { soak } from './soak.ts';
import { faultsOf, reportOf } from './soak-report.ts';

/**
 * `npm run soak -- --minutes 10 --seed 7` simulates users while a share of the calls to Slack fails; with
 * `--database postgres` the store is in a PostgreSQL of its own.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);

await asTest(async (test) => {
  const databaseUrl =
    values.database === 'postgres' ? (await createPostgresDatabase()).url.reveal() : undefined;
  const soaked = await soak(test, { minutes: Number(values.minutes), seed, databaseUrl });
  for (const line of reportOf(soaked)) {
    console.log(line);
  }
  const faults = faultsOf(soaked);
  for (const fault of faults) {
    console.error(`FAILED: ${fault}`);
  }
  process.exitCode = faults.length === 0 ? 0 : 1;
});

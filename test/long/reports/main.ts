import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { asTest } from '../../support/app/app-process.ts';
import { compareWithBook } from './check-book.ts';
import { playReports } from './play-reports.ts';

/**
 * `npm run reports -- --sends 100000 --seed 7` has three workspaces send by a provider that loses a share of its answers,
 * and compares what reports have made of that with the provider’s own book; with `--database postgres` on PostgreSQL.
 */
const { values } = parseArgs({
  options: {
    sends: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);

await asTest(async (test) => {
  const play = await playReports(test, {
    sends: Number(values.sends),
    seed,
    database: values.database === 'postgres' ? 'postgres' : 'sqlite',
    say: console.log,
  });
  const { faults, ...figures } = await compareWithBook(play);
  console.log({ ...figures, requests: Object.fromEntries(play.answers) });
  for (const fault of faults.slice(0, 20)) {
    console.error(`FAILED: ${fault}`);
  }
  console.log(`${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
});

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { asTest, type TestHooks } from '../../support/app/app-process.ts';
import { assertNoneLostOrRepeated, runKills } from './kills.ts';
import { assertNoneRepeated, runRestores } from './restores.ts';

/**
 * `npm run crash -- --runs 1000 --seed 7` kills the program 1,000 times in the middle of its campaigns.
 * `npm run crash -- --restores 50 --seed 7` restores a back-up 50 times in the middle of them.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    restores: { type: 'string' },
    seed: { type: 'string' },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);

async function kill(test: TestHooks): Promise<void> {
  const result = await runKills(test, { runs: Number(values.runs), seed });
  assertNoneLostOrRepeated(result);
  const all = result.campaigns.flatMap(({ recipients }) => recipients);
  const counted = Object.entries(Object.groupBy(all, ({ state }) => state)).map(
    ([state, recipients]) => `${recipients.length.toLocaleString('en')} ${state}`,
  );
  console.log(
    `${result.kills} kills, ${result.campaigns.length} campaigns, ` +
      `${all.length.toLocaleString('en')} recipients: ${counted.join(', ')}. None was sent to twice.`,
  );
}

async function restoreBackUps(test: TestHooks): Promise<void> {
  const restored = await runRestores(test, { restores: Number(values.restores), seed });
  assertNoneRepeated(restored);
  const sent = restored.asked.size.toLocaleString('en');
  console.log(`${restored.restores} restored back-ups, ${sent} recipients sent to. None was sent to twice.`);
}

await asTest(async (test) => {
  await (values.restores === undefined ? kill(test) : restoreBackUps(test));
});

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { assertKept, crash } from './crash.ts';

/** `npm run crash -- --runs 1000 --seed 7`: kills the program as often as asked, in the middle of its campaigns. */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '50' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);

const ends: (() => void | Promise<void>)[] = [];
try {
  const crashes = await crash({ after: (end) => ends.unshift(end) }, { runs: Number(values.runs), seed });
  assertKept(crashes);
  const all = crashes.campaigns.flatMap(({ recipients }) => recipients);
  const counted = Object.entries(Object.groupBy(all, ({ state }) => state)).map(
    ([state, recipients]) => `${recipients.length.toLocaleString('en')} ${state}`,
  );
  console.log(
    `${crashes.kills} kills, ${crashes.campaigns.length} campaigns, ` +
      `${all.length.toLocaleString('en')} recipients: ${counted.join(', ')}. None was sent to twice.`,
  );
} finally {
  for (const end of ends) await end();
}

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Test } from './crash-harness.ts';
import { assertKept, crash } from './kills.ts';
import { assertNobodyTwice, restore } from './restores.ts';

/**
 * `npm run crash -- --runs 1000 --seed 7`: kills the program as often as asked, in the middle of its campaigns.
 * `npm run crash -- --restores 50 --seed 7`: puts back-ups back as often as asked, in the middle of them.
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

async function kill(test: Test): Promise<void> {
  const crashes = await crash(test, { runs: Number(values.runs), seed });
  assertKept(crashes);
  const all = crashes.campaigns.flatMap(({ recipients }) => recipients);
  const counted = Object.entries(Object.groupBy(all, ({ state }) => state)).map(
    ([state, recipients]) => `${recipients.length.toLocaleString('en')} ${state}`,
  );
  console.log(
    `${crashes.kills} kills, ${crashes.campaigns.length} campaigns, ` +
      `${all.length.toLocaleString('en')} recipients: ${counted.join(', ')}. None was sent to twice.`,
  );
}

async function putBack(test: Test): Promise<void> {
  const restored = await restore(test, { restores: Number(values.restores), seed });
  assertNobodyTwice(restored);
  const sent = restored.asked.size.toLocaleString('en');
  console.log(`${restored.restores} restored back-ups, ${sent} recipients sent to. None was sent to twice.`);
}

const ends: (() => void | Promise<void>)[] = [];
const test: Test = { after: (end) => ends.unshift(end) };
try {
  await (values.restores === undefined ? kill(test) : putBack(test));
} finally {
  for (const end of ends) {
    await end();
  }
}

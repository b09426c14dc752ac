import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { asTest } from '../../support/app/app-process.ts';
import { assertWhole, runDeaths } from './deaths.ts';

/** How long a campaign may send nothing after a death. */
const mostPauseMs = 10_000;

/** `npm run cluster -- --rounds 1000 --seed 7` kills or stops one of three instances 1,000 times during campaigns. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
console.log(`seed ${seed}`);

await asTest(async (test) => {
  const result = await runDeaths(test, { rounds: Number(values.rounds), seed });
  assertWhole(result);
  // Only here: in the tests, the instances share the machine with others.
  assert.ok(result.longestPauseMs < mostPauseMs, `a campaign stood still for ${result.longestPauseMs} ms`);
  const recipients = result.campaigns.reduce((sum, { campaign }) => sum + campaign.counts.recipients, 0);
  console.log(
    `${result.kills} kills, ${result.longStops} long stops, ${result.campaigns.length} campaigns, ` +
      `${recipients.toLocaleString('en')} recipients, ${result.clicks.sent} clicks. None was sent to twice.`,
  );
});

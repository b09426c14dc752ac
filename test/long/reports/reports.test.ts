import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { compareWithBook } from './check-book.ts';
import { playReports } from './play-reports.ts';

const sends = sizeOf('sends that are reported');

test(`${sends} sends by a provider that loses answers: what reports make of them is what its own book says`, async (t) => {
  const play = await playReports(t, { sends, seed: everySeed });
  const { faults, states, lost, resolved, cost, campaign } = await compareWithBook(play);
  t.diagnostic(JSON.stringify({ states, lost, resolved, cost, campaign }));
  assert.deepEqual(faults, []);
  const total = Object.values(states).reduce((sum, count) => sum + count, 0);
  assert.equal(total, sends);
  // Of the answers that were lost most messages were taken, and few reports of those were lost; but those of the second
  // workspace come to the first one until the restart.
  assert.ok(lost > sends * 0.03 && resolved > lost * 0.35, `${resolved} of ${lost}`);
  assert.ok(cost.said > 0);
  // Forged reports and those of the other workspace were refused.
  assert.deepEqual([...play.answers.keys()].sort(), [200, 401]);
});

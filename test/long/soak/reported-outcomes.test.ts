import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createReportedOutcomes } from './reported-outcomes.ts';

const standFor = 90_000;

/** The campaigns that were posted twice, of those whose end was shown in a message of these times, in milliseconds. */
function twice(posts: Readonly<Record<string, readonly number[]>>): string[] {
  const told = createReportedOutcomes({ isChannel: (id) => id.startsWith('C'), standFor });
  told.read(
    Object.entries(posts).flatMap(([name, times]) =>
      times.map((at) => ({
        ts: (at / 1_000).toFixed(6),
        channel: 'C1',
        from: 'app',
        text: `*${name}* *Done:* 120 recipients`,
        blocks: [],
      })),
    ),
  );
  const campaigns = Object.keys(posts).map((name) => ({ name }));
  return told.summarize({ operations: [], campaigns }).twice;
}

it('a message that is posted again once the first is gone from Slack is not posted twice', () => {
  assert.deepEqual(
    twice({ 'campaign-1': [1_000], 'campaign-2': [1_000, 1_000 + standFor], 'campaign-3': [1_000, 2_000] }),
    ['campaign-3'],
  );
});

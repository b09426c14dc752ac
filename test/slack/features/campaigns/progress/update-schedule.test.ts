import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextUpdateAt } from '../../../../../src/slack/features/campaigns/progress/update-queue.ts';

const now = 100_000;
const idle = { stateChanged: false, shownAt: now, failures: 0 };
const alone = { now, notBefore: 0 };

describe('the next update of a campaign’s message', () => {
  it('shows a new state at once, with what happens in the next tenth of a second', () => {
    assert.equal(nextUpdateAt({ ...idle, stateChanged: true }, alone), now + 100);
  });

  it('shows counts every 3 s at most', () => {
    assert.equal(nextUpdateAt(idle, alone), now + 3_000);
    assert.equal(nextUpdateAt({ ...idle, shownAt: 0 }, alone), now + 100);
  });

  it('tries again after 2 s, then twice as late each time, up to a minute', () => {
    const delays = [1, 2, 3, 6, 20].map((failures) => nextUpdateAt({ ...idle, failures }, alone) - now);
    assert.deepEqual(delays, [2_000, 4_000, 8_000, 60_000, 60_000]);
  });

  it('shows nothing while Slack’s rate limit lasts, not even a new state', () => {
    const limited = { ...alone, notBefore: now + 30_000 };
    assert.equal(nextUpdateAt({ ...idle, stateChanged: true }, limited), now + 30_000);
    assert.equal(nextUpdateAt({ ...idle, failures: 1 }, limited), now + 30_000);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endedUnseen } from '../../../../../src/slack/features/campaigns/status/campaign-state.ts';
import { noProgress } from '../../../../../src/store/campaigns/import/assign-chunks.ts';

const { counts: noCounts } = noProgress;
const startedAt = new Date(Date.UTC(2027, 6, 5, 9));
const counts = { ...noCounts, recipients: 2 };
const after = (seconds: number) => new Date(startedAt.getTime() + seconds * 1_000);

describe('the end of a campaign', () => {
  it('notifies nobody if it ended within a minute of its start', () => {
    assert.equal(endedUnseen({ counts, state: 'done', startedAt, endedAt: after(59) }), false);
  });

  it('notifies the creator if it took longer, was scheduled, or missed its start', () => {
    assert.equal(endedUnseen({ counts, state: 'done', startedAt, endedAt: after(61) }), true);
    assert.equal(
      endedUnseen({ counts, state: 'done', startAt: startedAt, startedAt, endedAt: after(1) }),
      true,
    );
    assert.equal(endedUnseen({ counts, state: 'missed', startAt: startedAt, endedAt: after(1) }), true);
  });

  it('notifies the creator if nobody was left of its recipients', () => {
    assert.equal(
      endedUnseen({ counts: noCounts, state: 'cancelled', startAt: startedAt, endedAt: after(1) }),
      true,
    );
  });

  it('notifies nobody if it was cancelled', () => {
    assert.equal(endedUnseen({ counts, state: 'cancelled', startedAt, endedAt: after(600) }), false);
  });
});

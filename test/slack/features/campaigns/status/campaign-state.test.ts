import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endedUnseen } from '../../../../../src/slack/features/campaigns/status/campaign-state.ts';

const startedAt = new Date(Date.UTC(2027, 6, 5, 9));
const after = (seconds: number) => new Date(startedAt.getTime() + seconds * 1_000);

test('whoever started a short campaign saw its end, and is not called', () => {
  assert.equal(endedUnseen({ state: 'done', startedAt, endedAt: after(59) }), false);
});

test('the author of a campaign that took its time, began by itself, or missed its start, is called', () => {
  assert.equal(endedUnseen({ state: 'done', startedAt, endedAt: after(61) }), true);
  assert.equal(endedUnseen({ state: 'done', startAt: startedAt, startedAt, endedAt: after(1) }), true);
  assert.equal(endedUnseen({ state: 'missed', startAt: startedAt, endedAt: after(1) }), true);
});

test('whoever cancelled a campaign is not called by its end', () => {
  assert.equal(endedUnseen({ state: 'cancelled', startedAt, endedAt: after(600) }), false);
});

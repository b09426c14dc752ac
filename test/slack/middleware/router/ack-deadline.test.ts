import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startAckDeadline } from '../../../../src/slack/middleware/router/submission.ts';
import { steppedTimers } from '../../../support/stepped-timers.ts';

/** A request that has just arrived. */
function arrive() {
  const timers = steppedTimers();
  const settled = new AbortController();
  return { timers, settled, beforeAckDeadline: startAckDeadline(timers, settled.signal) };
}

describe('before the acknowledgement deadline', () => {
  it('resolves or rejects with the work', async () => {
    const { timers, beforeAckDeadline } = arrive();
    await timers.advance(1_400);
    assert.equal(await beforeAckDeadline(Promise.resolve('faulty')), 'faulty');
    await assert.rejects(beforeAckDeadline(Promise.reject(new Error('broken'))), /broken/);
  });

  it('does not wait for slow work, and counts from the arrival of the request', async () => {
    const { timers, beforeAckDeadline } = arrive();
    await timers.advance(1_400);
    const { promise, reject } = Promise.withResolvers<string>();
    const early = beforeAckDeadline(promise);
    await timers.advance(100);
    assert.equal(await early, undefined);
    assert.equal(await beforeAckDeadline(promise), undefined);
    // Nobody else handles the rejection.
    reject(new Error('broken'));
    await assert.rejects(promise, /broken/);
  });

  it('leaves no timer once the request is done', () => {
    const { timers, settled } = arrive();
    assert.equal(timers.pending(), 1);
    settled.abort();
    assert.equal(timers.pending(), 0);
  });
});

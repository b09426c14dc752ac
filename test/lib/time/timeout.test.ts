import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withDeadline, withTimeout } from '../../../src/lib/time/timeout.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

describe('a timeout', () => {
  it('returns the result that is there in time, and clears its timer', async () => {
    const timers = steppedTimers();
    const late = () => assert.fail('called though the result was there');
    assert.equal(await withTimeout(Promise.resolve('done'), 1_000, late, timers), 'done');
    assert.equal(timers.pending(), 0);
  });

  it('returns the other result once the time is over', async () => {
    const timers = steppedTimers();
    const result = withTimeout(new Promise<string>(() => {}), 1_000, () => 'late', timers);
    await timers.advance(1_000);
    assert.equal(await result, 'late');
  });

  it('rejects with the error that comes in time', async () => {
    const timers = steppedTimers();
    const failing = Promise.reject(new Error('no such host'));
    await assert.rejects(
      withTimeout<string>(failing, 1_000, () => 'late', timers),
      /no such host/,
    );
    assert.equal(timers.pending(), 0);
  });
});

describe('a deadline', () => {
  it('aborts the signal of the work when the time is over, and returns what the work makes of it', async () => {
    const timers = steppedTimers();
    const result = withDeadline(
      1_000,
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason))),
      timers,
    );
    await timers.advance(1_000);
    assert.equal(Object(await result).name, 'TimeoutError');
  });

  it('clears its timer when the work is done', async () => {
    const timers = steppedTimers();
    assert.equal(await withDeadline(1_000, () => Promise.resolve('done'), timers), 'done');
    assert.equal(timers.pending(), 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { promiseHooks } from 'node:v8';
import { withDeadline, withTimeout } from '../../../src/lib/time/timeout.ts';
import { systemTimers, type Timers } from '../../../src/lib/time/timers.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

describe('a timeout', () => {
  it('returns a result that is in time, and clears its timer', async () => {
    const timers = steppedTimers();
    const late = () => assert.fail('called though the result was there');
    assert.equal(await withTimeout(Promise.resolve('done'), 1_000, late, timers), 'done');
    assert.equal(timers.pending(), 0);
  });

  it('returns the fallback when the time is up', async () => {
    const timers = steppedTimers();
    const result = withTimeout(new Promise<string>(() => {}), 1_000, () => 'late', timers);
    await timers.advance(1_000);
    assert.equal(await result, 'late');
  });

  it('rejects with an error that is in time', async () => {
    const timers = steppedTimers();
    const failing = Promise.reject(new Error('no such host'));
    await assert.rejects(
      withTimeout<string>(failing, 1_000, () => 'late', timers),
      /no such host/,
    );
    assert.equal(timers.pending(), 0);
  });
});

it('neither a timeout nor a deadline makes an error where nothing is late', async () => {
  const settled: Promise<unknown>[] = [];
  const signals: AbortSignal[] = [];
  const bound: Timers['bound'] = (ms, signal) => {
    signals.push(signal);
    return systemTimers.bound(ms, signal);
  };
  const timers = { ...systemTimers, bound };
  const inTime = async () => 'done';
  const stop = promiseHooks.onSettled((promise) => void settled.push(promise));
  try {
    await withTimeout(inTime(), 60_000, () => 'late', timers);
    await withDeadline(60_000, (signal) => inTime().finally(() => signals.push(signal)), timers);
    await setImmediate();
  } finally {
    stop();
  }
  assert.deepEqual(
    settled.map((promise) => inspect(promise)).filter((promise) => promise.includes('<rejected>')),
    [],
  );
  assert.deepEqual(
    signals.filter(({ reason }) => reason instanceof Error),
    [],
  );
});

describe('a deadline', () => {
  it('aborts the signal of the work when the time is up, and returns the result of the work', async () => {
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

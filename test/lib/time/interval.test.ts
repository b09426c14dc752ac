import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startInterval } from '../../../src/lib/time/interval.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

/** An interval of a second whose runs last until the test ends them. */
function longRuns() {
  const timers = steppedTimers();
  const signals: AbortSignal[] = [];
  const errors: unknown[] = [];
  let current = Promise.withResolvers<void>();
  const stop = startInterval({
    ms: 1_000,
    timers,
    onError: (error) => errors.push(error),
    run(signal) {
      signals.push(signal);
      current = Promise.withResolvers<void>();
      return current.promise;
    },
  });
  const settle = async () => {
    current.resolve();
    await new Promise(setImmediate);
  };
  const fail = async (error: Error) => {
    current.reject(error);
    await new Promise(setImmediate);
  };
  return { timers, signals, errors, stop, settle, fail };
}

describe('an interval', () => {
  it('runs at once, and then each time the interval is over', async () => {
    const { timers, signals, stop, settle } = longRuns();
    assert.equal(signals.length, 1);
    await settle();
    await timers.advance(999);
    assert.equal(signals.length, 1);
    await timers.advance(1);
    assert.equal(signals.length, 2);
    await settle();
    await stop();
  });

  it('neither overlaps nor queues up runs that take longer than the interval', async () => {
    const { timers, signals, stop, settle } = longRuns();
    await timers.advance(5_000);
    assert.equal(signals.length, 1);
    await settle();
    assert.equal(signals.length, 2);
    await settle();
    assert.equal(signals.length, 2);
    await stop();
  });

  it('aborts the signal of the current run when it is stopped, and waits for it', async () => {
    const { timers, signals, stop, settle } = longRuns();
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    assert.equal(signals[0]?.aborted, true);
    await new Promise(setImmediate);
    assert.equal(isStopped, false);
    await settle();
    await stopping;
    await timers.advance(5_000);
    assert.equal(signals.length, 1);
    assert.equal(timers.pending(), 0);
  });

  it('reports the error of a run, and goes on', async () => {
    const { timers, signals, errors, stop, settle, fail } = longRuns();
    const error = new Error('the disk is full');
    await fail(error);
    await timers.advance(1_000);
    assert.deepEqual(errors, [error]);
    assert.equal(signals.length, 2);
    await settle();
    await stop();
  });
});

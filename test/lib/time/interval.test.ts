import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startInterval } from '../../../src/lib/time/interval.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

/** An interval of one second whose runs last until the test ends them. */
function longRuns() {
  const timers = steppedTimers();
  const signals: AbortSignal[] = [];
  let current = Promise.withResolvers<void>();
  const stop = startInterval({
    ms: 1_000,
    timers,
    onError: (error) => assert.fail(String(error)),
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
  return { timers, signals, stop, settle };
}

describe('an interval', () => {
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
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRateLimiter } from '../../../src/services/campaigns/sending/rate-limiter.ts';

/** A pace by a clock that only we set. */
function begin(perSecond: number) {
  let at = 0;
  const pace = createRateLimiter({ perSecond, now: () => at });
  return {
    pace,
    pass: (milliseconds: number) => {
      at += milliseconds;
    },
    /** Starts whatever may start, for so long; gives how many messages that were. */
    send(size: number, seconds: number): number {
      let sent = 0;
      const end = at + seconds * 1000;
      while (at < end) {
        if (pace.chunks(size) > 0) {
          pace.started(size);
          sent += size;
        } else {
          at += Math.max(1, pace.wait());
        }
      }
      return sent;
    },
  };
}

describe('the pace of a workspace’s campaigns', () => {
  it('lets through as many messages a second as the setting says, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(1, 7, 100), (perSecond, size) => {
        const sent = begin(perSecond).send(size, 60);
        // A tenth of a second's worth goes at once, and the last chunk may be begun with less than it takes.
        assert.ok(sent <= perSecond * 60.1 + 1 + size, `${sent}`);
        assert.ok(sent >= perSecond * 60 - size, `${sent}`);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps to the setting in the first second too, and after an hour in which nothing was sent', () => {
    const { pass, send } = begin(100);
    assert.ok(send(1, 1) <= 111);
    pass(60 * 60_000);
    assert.ok(send(1, 1) <= 111);
  });

  it('waits as long as the provider asks, and then goes half as fast', () => {
    const { pace, pass, send } = begin(100);
    send(1, 10);
    pace.slowDown(5_000);
    assert.equal(pace.chunks(1), 0);
    assert.equal(pace.held(), 5_000);
    pass(4_999);
    assert.equal(pace.chunks(1), 0);
    pass(1);
    assert.ok(pace.chunks(1) > 0);
    const sent = send(1, 10);
    assert.ok(sent >= 450 && sent <= 560, `${sent}`);
  });

  it('tries again after an hour, however long the provider asks to wait', () => {
    const { pace } = begin(100);
    pace.slowDown(999_999_999_000);
    assert.equal(pace.wait(), 60 * 60_000);
  });

  it('takes the refusals of requests in flight together for one', () => {
    const { pace, pass, send } = begin(100);
    for (let request = 0; request < 8; request += 1) {
      pace.slowDown(1_000);
    }
    pass(1_000);
    const sent = send(1, 10);
    assert.ok(sent >= 450 && sent <= 560, `${sent}`);
  });

  it('waits longer each time where the provider does not say how long, a minute at most', () => {
    const { pace, pass } = begin(100);
    const waits = Array.from({ length: 8 }, () => {
      pace.slowDown();
      const wait = pace.held();
      pass(wait);
      return wait / 1000;
    });
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
    pace.wentWell();
    pace.slowDown();
    assert.equal(pace.held(), 1_000);
  });

  it('is back at its full speed after a while of answers that were fine', () => {
    const { pace, pass, send } = begin(100);
    pace.slowDown(1_000);
    pass(1_000);
    for (let answers = 0; answers < 50; answers += 1) {
      pace.wentWell();
    }
    const sent = send(1, 10);
    assert.ok(sent >= 950, `${sent}`);
  });
});

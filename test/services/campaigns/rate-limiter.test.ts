import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRateLimiter } from '../../../src/services/campaigns/sending/rate-limiter.ts';

/** A rate limiter whose clock only the test moves. */
function begin(messagesPerSecond: number) {
  let at = 0;
  const limiter = createRateLimiter({ messagesPerSecond, elapsed: () => at });
  return {
    limiter,
    pass: (milliseconds: number) => {
      at += milliseconds;
    },
    /** Starts whatever may start for some seconds. Returns the number of messages. */
    send(size: number, seconds: number): number {
      let sent = 0;
      const end = at + seconds * 1000;
      while (at < end) {
        if (limiter.availableChunks(size) > 0) {
          limiter.consume(size);
          sent += size;
        } else {
          at += Math.max(1, limiter.msUntilAvailable());
        }
      }
      return sent;
    },
  };
}

describe('the rate limiter of a workspace', () => {
  it('allows as many messages a second as the setting says, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(1, 7, 100), (perSecond, size) => {
        const sent = begin(perSecond).send(size, 60);
        // A tenth of a second's messages go at once, and the last chunk may start before all its tokens are there.
        assert.ok(sent <= perSecond * 60.1 + 1 + size, `${sent}`);
        assert.ok(sent >= perSecond * 60 - size, `${sent}`);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps to the rate in the first second, and after an hour without messages', () => {
    const { pass, send } = begin(100);
    assert.ok(send(1, 1) <= 111);
    pass(60 * 60_000);
    assert.ok(send(1, 1) <= 111);
  });

  it('waits as long as the provider asks, and then halves the rate', () => {
    const { limiter, pass, send } = begin(100);
    send(1, 10);
    limiter.backOff(5_000);
    assert.equal(limiter.availableChunks(1), 0);
    assert.equal(limiter.backOffMs(), 5_000);
    pass(4_999);
    assert.equal(limiter.availableChunks(1), 0);
    pass(1);
    assert.ok(limiter.availableChunks(1) > 0);
    const sent = send(1, 10);
    assert.ok(sent >= 450 && sent <= 560, `${sent}`);
  });

  it('waits at most an hour, however long the provider asks to', () => {
    const { limiter } = begin(100);
    limiter.backOff(999_999_999_000);
    assert.equal(limiter.msUntilAvailable(), 60 * 60_000);
  });

  it('counts requests that are refused together once', () => {
    const { limiter, pass, send } = begin(100);
    for (let request = 0; request < 8; request += 1) {
      limiter.backOff(1_000);
    }
    pass(1_000);
    const sent = send(1, 10);
    assert.ok(sent >= 450 && sent <= 560, `${sent}`);
  });

  it('doubles the wait each time the provider does not say how long, up to a minute', () => {
    const { limiter, pass } = begin(100);
    const waits = Array.from({ length: 8 }, () => {
      limiter.backOff();
      const wait = limiter.backOffMs();
      pass(wait);
      return wait / 1000;
    });
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
    limiter.recordSuccess();
    limiter.backOff();
    assert.equal(limiter.backOffMs(), 1_000);
  });

  it('returns to the full rate after fifty accepted requests', () => {
    const { limiter, pass, send } = begin(100);
    limiter.backOff(1_000);
    pass(1_000);
    for (let accepted = 0; accepted < 50; accepted += 1) {
      limiter.recordSuccess();
    }
    const sent = send(1, 10);
    assert.ok(sent >= 950, `${sent}`);
  });
});

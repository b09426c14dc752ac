import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  chunksAllowed,
  fullPace,
  type PaceSignals,
  paceAfter,
  paceAt,
} from '../../../../src/store/campaigns/sending/pace.ts';
import { rounds } from '../../../support/sizes.ts';

const nothing: PaceSignals = { successes: 0 };

/** The pace of a workspace, by a clock that only the test moves. */
function begin(maxRate: number) {
  let at = 1_800_000_000_000;
  let pace = fullPace(maxRate, at);
  const turn = (signals: PaceSignals) => {
    pace = paceAt(pace, { ...signals, maxRate, at });
  };
  return {
    pass(milliseconds: number) {
      at += milliseconds;
    },
    turn,
    allowed(size: number): number {
      turn(nothing);
      return chunksAllowed(pace, size);
    },
    after() {
      turn(nothing);
      return paceAfter(pace, 0);
    },
    /** Starts every chunk that may start for some seconds. Returns the number of messages. */
    send(size: number, seconds: number): number {
      let sent = 0;
      const end = at + seconds * 1000;
      while (at < end) {
        turn(nothing);
        const isAllowed = chunksAllowed(pace, size) > 0;
        const { waitMs } = paceAfter(pace, isAllowed ? size : 0);
        if (isAllowed) {
          pace = { ...pace, tokens: pace.tokens - size };
          sent += size;
        } else {
          at += Math.max(1, waitMs);
        }
      }
      return sent;
    },
  };
}

const backOff = (retryAfterMs?: number): PaceSignals => ({ successes: 0, backOff: { retryAfterMs } });

describe('the pace of a workspace', () => {
  it('allows as many messages a second as configured, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(1, 7, 100), (perSecond, size) => {
        const sent = begin(perSecond).send(size, 60);
        // A tenth of a second's messages go at once, and the last chunk may start before all its tokens are there.
        assert.ok(sent <= perSecond * 60.1 + 1 + size, `${sent}`);
        assert.ok(sent >= perSecond * 60 - size, `${sent}`);
      }),
      { numRuns: rounds(30) },
    );
  });

  it('keeps to the rate in the first second, and after an hour without messages', () => {
    const { pass, send } = begin(100);
    assert.ok(send(1, 1) <= 111);
    pass(60 * 60_000);
    assert.ok(send(1, 1) <= 111);
  });

  it('waits as long as the provider asks, and then halves the rate', () => {
    const { allowed, after, turn, pass, send } = begin(100);
    send(1, 10);
    turn(backOff(5_000));
    assert.equal(allowed(1), 0);
    assert.equal(Math.round(after().backOffMs), 5_000);
    pass(4_999);
    assert.equal(allowed(1), 0);
    pass(1);
    assert.ok(allowed(1) > 0);
    const sent = send(1, 10);
    assert.ok(sent >= 450 && sent <= 560, `${sent}`);
  });

  it('waits at most an hour, even if the provider asks for longer', () => {
    const { after, turn } = begin(100);
    turn(backOff(999_999_999_000));
    assert.equal(after().waitMs, 60 * 60_000);
  });

  it('counts concurrent requests that are refused as one', () => {
    const { turn, pass, send } = begin(100);
    for (let request = 0; request < 8; request += 1) {
      turn(backOff(1_000));
    }
    pass(1_000);
    const sent = send(1, 10);
    assert.ok(sent >= 450 && sent <= 560, `${sent}`);
  });

  it('doubles the wait each time the provider names none, up to a minute', () => {
    const { turn, after, pass } = begin(100);
    const waits = Array.from({ length: 8 }, () => {
      turn(backOff());
      const { backOffMs } = after();
      pass(backOffMs);
      return backOffMs / 1000;
    });
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
    turn({ successes: 1 });
    turn(backOff());
    assert.equal(after().backOffMs, 1_000);
  });

  it('returns to the full rate after fifty accepted requests, however many come together', () => {
    for (const together of [1, 10, 50]) {
      const { turn, pass, send } = begin(100);
      turn(backOff(1_000));
      pass(1_000);
      for (let accepted = 0; accepted < 50; accepted += together) {
        turn({ successes: together });
      }
      const sent = send(1, 10);
      assert.ok(sent >= 950, `${sent}`);
    }
  });

  it('never goes below a message a second, nor stops where the clock was ahead', () => {
    const { turn, pass, allowed } = begin(100);
    for (let refused = 0; refused < 20; refused += 1) {
      turn(backOff(1));
      pass(2);
    }
    pass(1_000);
    assert.equal(allowed(1), 1);
    turn(backOff(1_000));
    pass(-24 * 60 * 60_000);
    assert.equal(allowed(1), 1);
  });

  it('keeps to a new rate at once, higher or lower', () => {
    const at = 1_000;
    const before = fullPace(1_000, at);
    const slower = paceAt(before, { ...nothing, maxRate: 10, at });
    assert.equal(slower.rate, 10);
    assert.equal(slower.tokens, 1);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createUptime } from '../../../src/lib/time/clock.ts';

/** Clocks of a machine that works, sleeps and has its wall clock set. Its uptime is read in steps of ten milliseconds. */
function machine() {
  const clocks = { monotonic: 5_000, slept: 0, set: 0, reads: 0 };
  const truth = () => clocks.monotonic + clocks.slept;
  const uptime = createUptime({
    read() {
      clocks.reads += 1;
      return Math.floor(truth() / 10) * 10;
    },
    monotonic: () => clocks.monotonic,
    wall: () => 1_700_000_000_000 + truth() + clocks.set,
  });
  return { clocks, truth, uptime };
}

/** A coarse reading, and what two clocks may be out of step. */
const accuracyMs = 12;

describe('the uptime', () => {
  it('never goes back, and is true in every order of work, sleep and changes of the clock', () => {
    const step = fc.record({
      kind: fc.constantFrom('work', 'sleep', 'set'),
      ms: fc.integer({ min: 0, max: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const { clocks, truth, uptime } = machine();
        let before = uptime();
        for (const { kind, ms } of steps) {
          if (kind === 'work') {
            clocks.monotonic += ms;
          } else if (kind === 'sleep') {
            clocks.slept += ms;
          } else {
            clocks.set -= ms - 2_500;
          }
          const now = uptime();
          assert.ok(now >= before);
          assert.ok(
            Math.abs(now - truth()) <= accuracyMs,
            `${now} instead of ${truth()} after ${kind} ${ms}`,
          );
          before = now;
        }
      }),
    );
  });

  it('is read seldom while the machine works', () => {
    const { clocks, uptime } = machine();
    for (let ms = 0; ms < 1_000; ms += 1) {
      clocks.monotonic += 1;
      uptime();
    }
    assert.ok(clocks.reads <= 11, `${clocks.reads} readings`);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUptime } from '../../../src/lib/time/clock.ts';

function machine() {
  const at = { uptime: 5_000, monotonic: 100, wall: 1_000_000 };
  let readings = 0;
  const uptime = createUptime({
    read() {
      readings += 1;
      // As coarse as Linux writes it.
      return Math.floor(at.uptime / 10) * 10;
    },
    monotonic: () => at.monotonic,
    wall: () => at.wall,
  });
  const pass = (ms: number) => {
    at.uptime += ms;
    at.monotonic += ms;
    at.wall += ms;
  };
  return { at, uptime, pass, readings: () => readings };
}

test('the uptime is read seldom, and goes on between two readings', () => {
  const { uptime, pass, readings } = machine();
  const from = uptime();
  for (let step = 0; step < 50; step += 1) {
    pass(1);
    assert.equal(uptime(), from + step + 1);
  }
  assert.equal(readings(), 1);
});

test('the uptime never goes back, however coarse a reading is', () => {
  const { uptime, pass } = machine();
  let last = uptime();
  for (let step = 0; step < 1_000; step += 1) {
    pass(0.7);
    const now = uptime();
    assert.ok(now >= last);
    last = now;
  }
});

test('time in which the machine slept, or its clock was set, is noticed at once', () => {
  const { at, uptime, readings } = machine();
  const from = uptime();
  at.uptime += 60_000;
  at.wall += 60_000;
  assert.equal(uptime(), from + 60_000);
  at.wall -= 3_600_000;
  assert.equal(uptime(), from + 60_000);
  assert.equal(readings(), 3);
});

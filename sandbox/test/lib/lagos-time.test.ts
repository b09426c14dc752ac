import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProcess } from '../../../test/support/app/app-process.ts';
import { millisecondsUntil } from '../../lib/lagos-time.ts';

const hour = 3_600_000;

test('computes the time until a time of day in Lagos', () => {
  assert.equal(millisecondsUntil('21:00', new Date('2026-03-02T10:00:00Z')), 10 * hour);
  assert.equal(millisecondsUntil('8:30', new Date('2026-03-02T10:00:00Z')), 21.5 * hour);
  assert.equal(millisecondsUntil('00:15', new Date('2026-03-02T23:00:20Z')), 0.25 * hour);
});

test('refuses text that is not a time of day', () => {
  for (const time of ['24:00', '9', '21.00', '12:60', '']) {
    assert.throws(() => millisecondsUntil(time, new Date()), /isn’t a time of day/);
  }
});

test('shifts every way to read the current time, and nothing else of Date', async (t) => {
  const preload = new URL('../../app-process/shift-date.ts?ahead=86400000', import.meta.url);
  const script = `
    const now = Date.now();
    const made = new Date().getTime();
    const called = Date.parse(Date());
    const after = Date.now();
    console.log(JSON.stringify({
      made: now <= made && made <= after,
      called: now - 1000 < called && called <= after,
      given: new Date(5).getTime(), parts: new Date(2026, 0, 2).getDate(), utc: Date.UTC(1970, 0, 1),
      kind: new Date() instanceof Date, now,
    }));`;
  const before = Date.now();
  const { stdout } = await startProcess(t, [process.execPath, '--import', preload.href, '-e', script]).ends();
  const { now, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, { made: true, called: true, given: 5, parts: 2, utc: 0, kind: true });
  assert.ok(now >= before + 86_400_000 && now <= Date.now() + 86_400_000);
});

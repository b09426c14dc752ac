import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clockIn, inZone, nextFullHour, readStart } from '../../../src/domain/time/start-time.ts';

const now = new Date('2026-03-14T12:00:00Z');

function momentOf(date: string, time: string, zone: string): string {
  const read = readStart({ date, time, zone }, now);
  assert.ok(read.ok, read.ok ? '' : read.reason);
  return read.at.toISOString();
}

function reasonOf(date: string, time: string, zone: string): string {
  const read = readStart({ date, time, zone }, now);
  return read.ok ? '' : read.reason;
}

describe('a chosen start time', () => {
  it('is in the user’s time zone, in summer and in winter', () => {
    assert.equal(momentOf('2026-03-15', '08:00', 'Africa/Lagos'), '2026-03-15T07:00:00.000Z');
    assert.equal(momentOf('2026-07-01', '08:00', 'Europe/London'), '2026-07-01T07:00:00.000Z');
    assert.equal(momentOf('2026-12-01', '08:00', 'Europe/London'), '2026-12-01T08:00:00.000Z');
    assert.equal(momentOf('2026-12-01', '08:00', 'Asia/Kathmandu'), '2026-12-01T02:15:00.000Z');
    assert.equal(momentOf('2026-12-01', '00:30', 'Pacific/Kiritimati'), '2026-11-30T10:30:00.000Z');
  });

  it('is the earlier of two if clocks go back', () => {
    assert.equal(momentOf('2026-10-25', '01:30', 'Europe/London'), '2026-10-25T00:30:00.000Z');
    assert.equal(momentOf('2026-11-01', '01:30', 'America/New_York'), '2026-11-01T05:30:00.000Z');
  });

  it('does not exist if clocks skip it', () => {
    assert.match(reasonOf('2026-03-29', '01:30', 'Europe/London'), /1:30 AM does not exist .* London time/);
    assert.equal(momentOf('2026-03-29', '00:59', 'Europe/London'), '2026-03-29T00:59:00.000Z');
    assert.equal(momentOf('2026-03-29', '02:00', 'Europe/London'), '2026-03-29T01:00:00.000Z');
  });

  it('must be in the future', () => {
    assert.match(
      reasonOf('2026-03-14', '13:00', 'Africa/Lagos'),
      /passed: it’s now 14 Mar 2026, 1:00 PM WAT/,
    );
    assert.equal(momentOf('2026-03-14', '13:01', 'Africa/Lagos'), '2026-03-14T12:01:00.000Z');
  });

  it('needs a date, a time and a zone that exist', () => {
    assert.match(reasonOf('2026-02-30', '08:00', 'Africa/Lagos'), /Choose a date/);
    assert.match(reasonOf('2026-04-30', '', 'Africa/Lagos'), /Choose a date/);
    assert.match(reasonOf('2026-04-30', '08:00', 'Lagos'), /“Lagos” isn’t a time zone/);
  });

  it('is displayed as it was chosen, in any zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const moments = fc.date({ min: now, max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, moments, (zone, moment) => {
        const at = new Date(Math.ceil(moment.getTime() / 60_000 + 1) * 60_000);
        const [date = '', time = ''] = at.toLocaleString('sv-SE', { timeZone: zone }).split(' ');
        const read = readStart({ date, time: time.slice(0, 5), zone }, now);
        assert.ok(read.ok);
        assert.equal(inZone(read.at, zone), inZone(at, zone));
        assert.ok(read.at <= at);
      }),
    );
  });
});

describe('a formatted moment', () => {
  it('names its time zone', () => {
    const at = new Date('2026-03-15T07:00:00Z');
    assert.equal(inZone(at, 'Africa/Lagos'), '15 Mar 2026, 8:00 AM WAT');
    assert.match(inZone(at, 'America/New_York'), /^15 Mar 2026, 3:00 AM New York time$/);
    assert.match(inZone(at, 'UTC'), /, 7:00 AM UTC$/);
  });
});

it('the next full hour is one by the clocks of the zone, and a user who chooses it means it', () => {
  const zone = fc.constantFrom('Africa/Lagos', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns');
  const moment = fc.date({ min: new Date('2026-01-10'), max: new Date('2026-02-20'), noInvalidDate: true });
  fc.assert(
    fc.property(moment, zone, (now, zone) => {
      const next = nextFullHour(now, zone);
      const ahead = next.getTime() - now.getTime();
      assert.ok(ahead >= 5 * 60_000 && ahead <= 65 * 60_000 + 1_000, String(ahead));
      const chosen = { ...clockIn(next, zone), zone };
      assert.match(chosen.time, /:00$/);
      assert.deepEqual(readStart(chosen, now), { ok: true, at: next });
    }),
  );
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { endOfDay, sortableTime, startOfDay } from '../../../src/domain/time/start-time.ts';

const zones = [
  'Africa/Lagos',
  'Europe/London',
  'America/New_York',
  'Asia/Beirut',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'UTC',
];
const day = fc
  .date({ min: new Date('2016-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('a day in a time zone', () => {
  it('begins at midnight there', () => {
    assert.equal(startOfDay('2026-11-21', 'Africa/Lagos').toISOString(), '2026-11-20T23:00:00.000Z');
    assert.equal(startOfDay('2026-07-01', 'Europe/London').toISOString(), '2026-06-30T23:00:00.000Z');
    assert.equal(endOfDay('2026-11-21', 'Africa/Lagos').toISOString(), '2026-11-21T23:00:00.000Z');
  });

  it('begins an hour later where clocks skip midnight', () => {
    const start = startOfDay('2025-03-30', 'Asia/Beirut');
    assert.equal(sortableTime(start, 'Asia/Beirut'), '2025-03-30 01:00');
  });

  it('begins with its first moment, on any day and in any zone', () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...zones), (date, zone) => {
        const start = startOfDay(date, zone);
        assert.equal(sortableTime(start, zone).slice(0, 10), date);
        assert.ok(sortableTime(new Date(start.getTime() - 1_000), zone).slice(0, 10) < date);
        const end = endOfDay(date, zone);
        assert.equal(sortableTime(new Date(end.getTime() - 1_000), zone).slice(0, 10), date);
        assert.ok(sortableTime(end, zone).slice(0, 10) > date);
      }),
    );
  });
});

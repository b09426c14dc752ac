import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  countRuns,
  dateAfter,
  faultOfRepeat,
  nextRun,
  type Repeat,
  repeatUnits,
} from '../../../src/domain/time/repeat.ts';
import { clockIn } from '../../../src/domain/time/start-time.ts';
import { modelledRuns } from '../../support/modelled-runs.ts';
import { rounds } from '../../support/sizes.ts';

/** One without changes of the clock, two with them, and one whose date is another than in UTC for most of the day. */
const zones = ['Africa/Lagos', 'Europe/London', 'America/New_York', 'Pacific/Auckland'];

const arbitraryRepeat = fc
  .record({
    every: fc.constantFrom(...repeatUnits),
    from: fc.date({ min: new Date('2026-01-01'), max: new Date('2028-02-29'), noInvalidDate: true }),
    days: fc.integer({ min: 0, max: 366 }),
    minutes: fc.integer({ min: 0, max: 24 * 60 - 1 }),
  })
  .map(({ every, from, days, minutes }): Repeat => {
    const date = from.toISOString().slice(0, 10);
    const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
      String(part).padStart(2, '0'),
    );
    return { every, from: date, until: dateAfter(date, days), time: `${hour}:${minute}` };
  });

describe('the runs of a campaign that repeats', () => {
  it('are those of a calendar, one after the other, through changes of the clock', () => {
    fc.assert(
      fc.property(arbitraryRepeat, fc.constantFrom(...zones), (repeat, zone) => {
        const found: Date[] = [];
        let at = nextRun(repeat, zone, new Date(0));
        while (at !== undefined) {
          found.push(at);
          at = nextRun(repeat, zone, at);
        }
        assert.deepEqual(found, modelledRuns(repeat, zone));
        assert.equal(found.length, countRuns(repeat));
      }),
      { numRuns: rounds(15) },
    );
  });

  it('are the same wherever one looks from', () => {
    fc.assert(
      fc.property(
        arbitraryRepeat,
        fc.constantFrom(...zones),
        fc.integer({ min: -3, max: 370 }),
        (repeat, zone, days) => {
          const after = new Date(Date.parse(repeat.from) + days * 24 * 60 * 60_000);
          const [first] = modelledRuns(repeat, zone).filter((run) => run > after);
          assert.deepEqual(nextRun(repeat, zone, after), first);
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  it('are an hour later by the clock where it skips their time, and once where a time occurs twice', () => {
    const repeat = { every: 'day', from: '2026-03-28', until: '2026-10-26', time: '01:30' } as const;
    const clocks = modelledRuns(repeat, 'Europe/London').map((at) => clockIn(at, 'Europe/London'));
    assert.equal(clocks.find(({ date }) => date === '2026-03-29')?.time, '02:30');
    assert.equal(clocks.filter(({ date }) => date === '2026-10-25').length, 1);
  });

  it('are on the last day of a month without the day', () => {
    const repeat = { every: 'month', from: '2028-01-31', until: '2028-04-30', time: '09:00' } as const;
    const dates = modelledRuns(repeat, 'Africa/Lagos').map((at) => at.toISOString().slice(0, 10));
    assert.deepEqual(dates, ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30']);
  });

  it('end within a year, and not before they begin', () => {
    const from = '2026-11-28';
    assert.equal(faultOfRepeat({ from, until: '2027-11-29' }), undefined);
    assert.match(faultOfRepeat({ from, until: '2027-11-30' }) ?? '', /within a year/);
    assert.match(faultOfRepeat({ from, until: '2026-11-27' }) ?? '', /after the first/);
    assert.equal(faultOfRepeat({ from, until: from }), undefined);
  });
});

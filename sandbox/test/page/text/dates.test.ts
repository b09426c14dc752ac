import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayHeading, formatDate, localMoment, secondsOfLocal } from '../../../page/text/dates.ts';

const lagos = 'Africa/Lagos';
const moment = Date.UTC(2014, 1, 18, 14, 39, 42) / 1000;
const later = moment + 3600;

test('the tokens of a date are filled in the zone of the person who reads it', () => {
  const show = (format: string, zone: string) => formatDate(format, moment, zone, moment + 30 * 86_400);
  assert.equal(show('{date_num} {time_secs}', lagos), '2014-02-18 3:39:42 PM');
  assert.equal(show('{date} at {time}', 'America/New_York'), 'February 18th, 2014 at 9:39 AM');
  assert.equal(show('{date_long}', 'Asia/Tokyo'), 'Tuesday, February 18th, 2014');
  assert.equal(show('{date_short} {unknown}', lagos), 'Feb 18, 2014 {unknown}');
});

test('a pretty date says today, yesterday and tomorrow', () => {
  assert.equal(formatDate('{date_pretty}', moment, lagos, later), 'today');
  assert.equal(formatDate('{date_short_pretty}', moment - 86_400, lagos, later), 'yesterday');
  assert.equal(formatDate('{date_long_pretty}', moment + 86_400, lagos, later), 'tomorrow');
  assert.equal(formatDate('{ago}', moment, lagos, later), '1 hour ago');
});

test('the line between two days names the year only when it is another', () => {
  assert.equal(dayHeading(moment, lagos, later), 'Today');
  assert.equal(dayHeading(moment, lagos, moment + 40 * 86_400), 'Tuesday, February 18th');
  assert.equal(dayHeading(moment, lagos, moment + 400 * 86_400), 'Tuesday, February 18th, 2014');
});

test('what a date and time input shows leads back to the same moment, in every zone', () => {
  const zones = fc.constantFrom(
    'Africa/Lagos',
    'Europe/London',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Auckland',
  );
  const minutes = fc.integer({ min: 0, max: 60_000_000 }).map((minute) => minute * 60);
  fc.assert(
    fc.property(minutes, zones, (seconds, zone) => {
      const shown = localMoment(seconds, zone);
      assert.equal(localMoment(secondsOfLocal(shown, zone), zone), shown);
    }),
    { verbose: true },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayHeading, formatDate } from '../../../page/text/draw.ts';

const lagos = 'Africa/Lagos';
const moment = Date.UTC(2014, 1, 18, 14, 39, 42) / 1000;
const later = moment + 3600;

test('fills the tokens of a date in the time zone of the reader', () => {
  const show = (format: string, zone: string) => formatDate(format, moment, zone, moment + 30 * 86_400);
  assert.equal(show('{date_num} {time_secs}', lagos), '2014-02-18 3:39:42 PM');
  assert.equal(show('{date} at {time}', 'America/New_York'), 'February 18th, 2014 at 9:39 AM');
  assert.equal(show('{date_long}', 'Asia/Tokyo'), 'Tuesday, February 18th, 2014');
  assert.equal(show('{date_short} {unknown}', lagos), 'Feb 18, 2014 {unknown}');
});

test('writes a pretty date as today, yesterday or tomorrow', () => {
  assert.equal(formatDate('{date_pretty}', moment, lagos, later), 'today');
  assert.equal(formatDate('{date_short_pretty}', moment - 86_400, lagos, later), 'yesterday');
  assert.equal(formatDate('{date_long_pretty}', moment + 86_400, lagos, later), 'tomorrow');
  assert.equal(formatDate('{ago}', moment, lagos, later), '1 hour ago');
});

test('names the year between two days only when it is not this year', () => {
  assert.equal(dayHeading(moment, lagos, later), 'Today');
  assert.equal(dayHeading(moment, lagos, moment + 40 * 86_400), 'Tuesday, February 18th');
  assert.equal(dayHeading(moment, lagos, moment + 400 * 86_400), 'Tuesday, February 18th, 2014');
});

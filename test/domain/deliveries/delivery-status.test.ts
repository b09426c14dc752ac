import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isReceived,
  outcomeOf,
  readReportedStatus,
  reportedProgress,
  summarizeDeliveries,
} from '../../../src/domain/deliveries/delivery-status.ts';
import {
  isStaleReport,
  mayBeOfRequest,
  readCertainTime,
  readReportedTime,
} from '../../../src/domain/deliveries/reported-time.ts';

test('the provider’s words are known, whatever their case and what follows a bar', () => {
  const states: Record<string, string> = {
    DELIVERED: 'delivered',
    'DELIVERED | Message delivered to handset': 'delivered',
    'Message delivered to handset': 'delivered',
    Delivered: 'delivered',
    Received: 'delivered',
    'Message Sent': 'sent',
    'Message Failed': 'failed',
    Failed: 'failed',
    'FAILED | Absent subscriber': 'failed',
    Undelivered: 'failed',
    UNDELIVERABLE: 'failed',
    'DND Active on Phone Number': 'failed',
    Rejected: 'failed',
    Expired: 'failed',
    ' message  sent ': 'sent',
    Buffered: 'unknown',
    '': 'unknown',
    constructor: 'unknown',
  };
  for (const [status, state] of Object.entries(states)) {
    assert.equal(readReportedStatus(status).state, state, status);
  }
  assert.equal(readReportedStatus('Expired').reason, 'the phone wasn’t reached in time');
  assert.equal(readReportedStatus('REJECTED').reason, 'rejected, possibly Do-Not-Disturb');
  assert.deepEqual(['Received', 'RECEIVED | now', 'DELIVERED'].map(isReceived), [true, true, false]);
});

test('recipients are counted by the provider’s own words where the table has none, whatever their case', () => {
  const statuses = [
    'Failed | No route',
    'failed| no route',
    'Failed',
    'Rejected',
    'Message Failed | DND Active on Phone Number',
    'Buffered',
    'BUFFERED|1',
    '|7',
  ];
  const outcomes = statuses.map(outcomeOf);
  assert.deepEqual(outcomes.slice(0, 6), [
    'failed: No route',
    'failed: no route',
    'failed',
    'failed rejected',
    'failed dnd active on phone number',
    'unknown: Buffered',
  ]);
  const counts = [...outcomes, 'unknown', 'unknown: never'].map(
    (outcome) => [outcome, outcome.endsWith('never') ? 0 : 1] as const,
  );
  const { failed, other, waiting } = summarizeDeliveries(counts, 11);
  assert.deepEqual(failed, [
    { words: 'No route', recipients: 1 },
    { words: 'no route', recipients: 1 },
    { recipients: 1 },
    { reason: 'rejected, possibly Do-Not-Disturb', mayBeDnd: true, recipients: 1 },
    { reason: 'the number is on Do-Not-Disturb', mayBeDnd: true, recipients: 1 },
  ]);
  assert.deepEqual(other, [
    { words: 'Buffered', recipients: 2 },
    { words: '7', recipients: 1 },
    { words: undefined, recipients: 1 },
  ]);
  assert.equal(waiting, 2);
});

test('no two states are as far: another word is after being sent, and before every ending', () => {
  const words = ['Message Sent', 'Buffered', 'Message Failed', 'DELIVERED'];
  const ranks = words.map((word) => reportedProgress[readReportedStatus(word).state]);
  assert.deepEqual(
    ranks,
    [...new Set(ranks)].sort((one, other) => one - other),
  );
});

test('a time without a zone is taken as UTC, and one that is none is none', () => {
  assert.equal(readReportedTime('2026-03-09 10:21:47')?.toISOString(), '2026-03-09T10:21:47.000Z');
  assert.equal(readReportedTime('2026-03-09T10:21:47+01:00')?.toISOString(), '2026-03-09T09:21:47.000Z');
  for (const none of ['', 'now', '2026-03-09', '2026-99-09 10:21:47', '1773051707']) {
    assert.equal(readReportedTime(none), undefined, none);
  }
});

test('a time is certain where it names its zone, or the profile does', () => {
  const written = '2026-03-09 10:21:47';
  const times = [
    ['2026-03-09T10:21:47.000Z', undefined, '2026-03-09T10:21:47.000Z'],
    ['2026-03-09T10:21:47+01:00', undefined, '2026-03-09T09:21:47.000Z'],
    ['2026-03-09T10:21:47Z', 'Africa/Lagos', '2026-03-09T10:21:47.000Z'],
    [written, undefined, undefined],
    [written, 'Africa/Lagos', '2026-03-09T09:21:47.000Z'],
    [written, 'America/New_York', '2026-03-09T14:21:47.000Z'],
    ['now', 'Africa/Lagos', undefined],
  ] as const;
  for (const [text, zone, read] of times) {
    assert.equal(readCertainTime(text, zone)?.toISOString(), read, `${text} ${zone}`);
  }
});

test('a message is of a request about its time, by the clock of UTC or of Lagos', () => {
  const began = new Date('2026-11-23T12:00:00Z');
  const cases: Record<string, boolean> = {
    '2026-11-23 12:00:01': true,
    '2026-11-23 11:58:30': true,
    '2026-11-23 11:57:30': false,
    '2026-11-23 12:14:59': true,
    '2026-11-23 12:15:01': false,
    '2026-11-23 13:00:01': true,
    '2026-11-23 13:16:00': false,
    '2026-11-24 12:00:01': false,
  };
  for (const [time, may] of Object.entries(cases)) {
    assert.equal(mayBeOfRequest(readReportedTime(time) ?? assert.fail(time), began), may, time);
  }
});

test('a report is stale when it is older than what is kept, or of the future', () => {
  const at = { now: new Date('2026-11-23T12:00:00Z'), maxAgeMs: 30 * 24 * 60 * 60_000 };
  const stale = (time: string) => isStaleReport(new Date(time), at);
  assert.deepEqual(['2026-11-23T12:00:00Z', '2026-10-24T12:00:01Z', '2026-11-24T11:00:00Z'].map(stale), [
    false,
    false,
    false,
  ]);
  assert.deepEqual(['2026-10-24T11:00:00Z', '2026-11-24T13:00:00Z'].map(stale), [true, true]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reportsOf } from '../../../src/services/history/provider-history.ts';
import { readReports } from '../../../src/services/reports/read-reports.ts';

const reading = {
  now: new Date('2026-03-10T00:00:00Z'),
  maxAgeMs: 30 * 24 * 60 * 60_000,
  country: 'NG',
} as const;
const message = { receiver: '2348030001177', sender: 'PalmMarket', status: 'Delivered' };

/** What the same words become as a report and in the history. */
function bothOf({ at, receiver, cost }: { at: string | undefined; receiver: string; cost: string }) {
  const written = { ...message, receiver, cost, message_id: '71', message: 'Hello', sent_at: at };
  const { reports } = readReports(Buffer.from(JSON.stringify(written)), reading);
  const record = { ...message, receiver, cost, messageId: '71', text: 'Hello', writtenAt: at };
  return [reports, reportsOf([record], 'NG')].map((all) => all.map(({ source, ...report }) => report));
}

test('a message is the same whether the provider reports it or has it in its history', () => {
  const seconds = fc.integer({ min: 0, max: 20 * 24 * 60 * 60 }).map((before) => {
    const [day = '', time = ''] = new Date(reading.now.getTime() - before * 1_000)
      .toISOString()
      .split(/[T.]/);
    return [day, time] as const;
  });
  const zone = fc.constantFrom('', 'Z', '+01:00', '+0100', '.5');
  const times = fc
    .tuple(seconds, fc.constantFrom(' ', 'T'), zone)
    .map(([at, between, end]) => at.join(between) + end);
  const receivers = fc.constantFrom('2348030001177', '+2348030001177', '0803 000 1177', '15550000000');
  const costs = fc.constantFrom('4.25', '4.1499999999999995', '5.0E-4', '2 pages');
  fc.assert(
    fc.property(fc.option(times, { nil: undefined }), receivers, costs, (at, receiver, cost) => {
      const [reported, recorded] = bothOf({ at, receiver, cost });
      assert.deepEqual(recorded, reported);
      assert.equal(reported?.length, 1);
      assert.equal(reported[0]?.reportedAt === undefined, at === undefined);
    }),
  );
});

test('what names no number, or no status, says nothing of a message', () => {
  const records = [{ receiver: 'PalmMarket' }, { receiver: undefined }, { status: '' }];
  assert.deepEqual(
    records.flatMap((change) => reportsOf([{ ...message, messageId: '71', ...change }], 'NG')),
    [],
  );
});

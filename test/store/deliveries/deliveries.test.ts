import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { readReportedStatus } from '../../../src/domain/deliveries/delivery-status.ts';
import type { DeliveryReport } from '../../../src/store/deliveries/deliveries.ts';
import { rounds } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const number = '+2348031234567';
const base = { providerId: 'm1', number, sender: 'PalmMarket', text: 'Hello', source: 'report' } as const;
const report = (change: Partial<DeliveryReport>): DeliveryReport => ({
  ...base,
  status: 'Message Sent',
  ...change,
});

/** On the way, then another word, then an ending. */
function progressOf(status: string): number {
  return ['sent', 'unknown', 'failed', 'delivered'].indexOf(readReportedStatus(status).state);
}

forEachDatabase((database) => {
  const open = (test: TestContext) => temporaryStore(test, { database });

  describe('what is reported of a message', () => {
    it('only moves forward, whatever the order and however often, alone or together', async (test) => {
      const { db, deliveries } = await open(test);
      const statuses = ['Message Sent', 'DELIVERED', 'Message Failed', 'Buffered', 'Queued', 'Expired'];
      const reports = fc.array(
        fc.record({
          status: fc.constantFrom(...statuses),
          reportedAt: fc.option(
            fc.integer({ min: 0, max: 3 }).map((ms) => new Date(ms)),
            { nil: undefined },
          ),
          cost: fc.option(fc.constantFrom('0', '3.9', '4.25'), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 8 },
      );
      let messages = 0;
      const endOf = async (groups: readonly (readonly Partial<DeliveryReport>[])[]) => {
        messages += 1;
        const providerId = `m${messages}`;
        for (const group of groups) {
          await deliveries.record(
            'T1',
            group.map((each) => report({ ...each, providerId })),
          );
        }
        const { state, progress, status, reportedAt, firstReportedAt, cost } = await db
          .selectFrom('delivery')
          .selectAll()
          .where('providerId', '=', providerId)
          .executeTakeFirstOrThrow();
        return { state, progress, status, reportedAt, firstReportedAt, cost };
      };
      await fc.assert(
        fc.asyncProperty(
          reports.chain((all) =>
            fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
          ),
          async ([all, shuffled]) => {
            const end = await endOf(all.map((each) => [each]));
            const furthest = Math.max(...all.map(({ status }) => progressOf(status)));
            assert.equal(progressOf(end.status), furthest, 'the furthest state, whatever the times');
            assert.deepEqual(await endOf(shuffled.map((each) => [each])), end);
            assert.deepEqual(await endOf([shuffled]), end);
          },
        ),
        { numRuns: rounds(40) },
      );
    });

    it('is known since its state was first reported, and from there', async (test) => {
      const { clock, pass } = stoppedClock();
      const { deliveries } = await temporaryStore(test, { database, time: clock });
      const known = async () => {
        const [message] = await deliveries.of('T1', ['m1']);
        return [message?.state, message?.source, message?.receivedAt.getTime()];
      };
      const since = clock.now().getTime();
      const delivered = report({ status: 'DELIVERED', reportedAt: new Date(since) });
      await deliveries.record('T1', [delivered]);
      assert.deepEqual(await known(), ['delivered', 'report', since]);
      pass(60_000);
      const again = { ...delivered, status: 'Delivered', reportedAt: new Date(since + 60_000) };
      await deliveries.record('T1', [again]);
      await deliveries.record('T1', [{ ...again, reportedAt: new Date(since + 90_000), source: 'history' }]);
      assert.deepEqual(await known(), ['delivered', 'report', since]);
    });

    it('changes its time with its state', async (test) => {
      const { clock, pass } = stoppedClock();
      const { deliveries } = await temporaryStore(test, { database, time: clock });
      await deliveries.record('T1', [report({})]);
      pass(60_000);
      await deliveries.record('T1', [report({ status: 'DELIVERED', source: 'history' })]);
      const [message] = await deliveries.of('T1', ['m1']);
      assert.deepEqual([message?.source, message?.receivedAt], ['history', clock.now()]);
    });

    it('is of the numbers that the message went to, also where it came before the answer', async (test) => {
      const { deliveries, ledger } = await open(test);
      const intent = { workspaceId: 'T1', key: 'a', kind: 'sms.send', userId: 'U1', summary: {} };
      const foreign = report({ number: '+2348039999999', status: 'Message Failed' });
      assert.equal(await deliveries.record('T1', [foreign]), 0);
      await performIn(ledger, { ...intent, numbers: [number] }, async () => ({
        state: 'accepted',
        providerId: 'm1',
      }));
      assert.deepEqual(await deliveries.of('T1', ['m1']), []);
      assert.equal(await deliveries.record('T1', [foreign, report({ status: 'DELIVERED' })]), 1);
      assert.deepEqual(
        (await deliveries.of('T1', ['m1'])).map(({ state }) => state),
        ['delivered'],
      );
    });

    it('is ours by the id that an answer named, or by a sender that something was sent from to its number', async (test) => {
      const { deliveries, ledger } = await open(test);
      const summary = { senderId: 'PalmMarket' };
      const intent = { workspaceId: 'T1', kind: 'sms.send', userId: 'U1', summary, numbers: [number] };
      await performIn(ledger, { ...intent, key: 'a' }, async () => ({ state: 'accepted', providerId: 'm1' }));
      const elsewhere = '+2348039999999';
      const cases = [
        [report({ sender: undefined }), true],
        [report({ sender: 'Another' }), true],
        [report({ providerId: 'm2', sender: ' palmmarket' }), true],
        [report({ providerId: 'm2', sender: 'Another' }), false],
        [report({ providerId: 'm2', sender: undefined }), false],
        [report({ number: elsewhere, sender: undefined }), false],
        [report({ number: elsewhere }), false],
      ] as const;
      const reports = cases.map(([each]) => each);
      const own = await deliveries.ownReports('T1', reports);
      assert.deepEqual(
        reports.map((each) => own.has(each)),
        cases.map(([, isOwn]) => isOwn),
      );
      assert.deepEqual(await deliveries.ownReports('T2', reports), new Set());
      assert.deepEqual(await deliveries.ownReports('T1', []), new Set());
    });

    it('is of each number, and of its workspace alone', async (test) => {
      const { deliveries } = await open(test);
      await deliveries.record('T1', [
        report({ status: 'DELIVERED', cost: '3.9' }),
        report({ number: '+2348039999999', status: 'DND Active on Phone Number' }),
      ]);
      await deliveries.record('T2', [report({ status: 'Odd 2348031234567 thing' })]);
      const known = await deliveries.of('T1', ['m1', 'm2']);
      assert.deepEqual(known.map(({ state, cost }) => [state, cost]).sort(), [
        ['delivered', '3.9'],
        ['failed', undefined],
      ]);
      const [other] = await deliveries.of('T2', ['m1']);
      assert.deepEqual([other?.state, other?.status], ['unknown', 'Odd ••• thing']);
    });

    it('keeps a cost that came with an earlier state, and takes one that comes later', async (test) => {
      const { deliveries } = await open(test);
      await deliveries.record('T1', [report({ status: 'Sent', cost: '3.9' })]);
      await deliveries.record('T1', [report({ status: 'DELIVERED' })]);
      await deliveries.record('T1', [report({ providerId: 'm2', status: 'DELIVERED' })]);
      await deliveries.record('T1', [report({ providerId: 'm2', status: 'Sent', cost: '4' })]);
      const known = await deliveries.of('T1', ['m1', 'm2']);
      assert.deepEqual(known.map(({ state, cost }) => [state, cost]).sort(), [
        ['delivered', '3.9'],
        ['delivered', '4'],
      ]);
    });

    it('is taken and done with where its words are cut within a character', async (test) => {
      const { db, deliveries } = await open(test);
      const other = report({ providerId: 'm2' });
      await deliveries.record('T1', [report({ status: `${'x'.repeat(199)}😀` }), other]);
      await deliveries.follow(new AbortController().signal);
      const rows = await db
        .selectFrom('delivery')
        .select(['status', 'pending'])
        .orderBy('providerId')
        .execute();
      assert.deepEqual(rows, [
        { status: `${'x'.repeat(199)}\uFFFD`, pending: false },
        { status: 'Message Sent', pending: false },
      ]);
    });

    it('is taken of digits that are no number, together with others', async (test) => {
      const { db, deliveries } = await open(test);
      await deliveries.record('T1', [
        report({ number: '+15550000000' }),
        report({ number: '+14165550123' }),
        report({}),
      ]);
      const rows = await db.selectFrom('delivery').select('country').execute();
      assert.deepEqual(rows.map(({ country }) => country).sort(), ['CA', 'NG', 'none']);
    });

    it('is taken in by many at once, and deleted after its time', async (test) => {
      const { db, deliveries } = await open(test);
      const before = new Date(Date.now() - 1_000);
      const all = Array.from({ length: 700 }, (_, index) => report({ providerId: `m${index % 350}` }));
      await Promise.all(all.map((each) => deliveries.record('T1', [each])));
      await deliveries.record('T2', all);
      const rows = await db.selectFrom('delivery').select('providerId').execute();
      assert.equal(rows.length, 700);
      await deliveries.expire(before);
      assert.equal((await db.selectFrom('delivery').select('providerId').execute()).length, 700);
      await deliveries.expire(new Date(Date.now() + 1_000));
      assert.equal((await db.selectFrom('delivery').select('providerId').execute()).length, 0);
    });

    it('has neither the number nor the text in it', async (test) => {
      const { db, deliveries } = await open(test);
      await deliveries.record('T1', [report({ text: 'Your code is 482913' })]);
      const rows = JSON.stringify(await db.selectFrom('delivery').selectAll().execute());
      assert.doesNotMatch(rows, /8031234567|482913|Palm/);
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { maxWaiting } from '../../../src/store/report-forwards/add-forwards.ts';
import type { ForwardedRequest } from '../../../src/store/report-forwards/forward-rows.ts';
import type { ForwardLease, ReportForwards } from '../../../src/store/report-forwards/report-forwards.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const address = 'https://hooks.example.com/in';
const requestOf = (text: string): ForwardedRequest => ({
  body: Buffer.from(text),
  signature: 'ab12',
  contentType: 'application/json',
});

async function leaseOf(forwards: ReportForwards, workspaceId = 'T1'): Promise<ForwardLease> {
  return (await forwards.take(workspaceId)) ?? assert.fail('another has it');
}

async function textsDue(forwards: ReportForwards, lease: ForwardLease): Promise<string[]> {
  const next = await forwards.next(lease, 100);
  return (next?.due ?? []).map(({ request }) => Buffer.from(request.body).toString());
}

forEachDatabase((database) => {
  const open = (test: TestContext) => temporaryStore(test, { database });

  describe('the queue of reports that are passed on', () => {
    it('is one instance’s at a time, keeps what failed, and leaves other requests alone', async (test) => {
      const { reportForwards: forwards } = await open(test);
      await forwards.add('T1', requestOf('before there is an address'));
      await forwards.save('T1', address, 'U1');
      await Promise.all(['1', '2', '3'].map((text) => forwards.add('T1', requestOf(text))));
      assert.deepEqual(await forwards.due(10), ['T1']);
      const lease = await leaseOf(forwards);
      assert.equal(await forwards.take('T1'), undefined);
      assert.deepEqual(await forwards.due(10), []);
      const next = await forwards.next(lease, 100);
      assert.equal(next?.address, address);
      assert.equal(next.due.length, 3);
      const [first, second, third] = next.due;
      assert.ok(first && second && third);
      await forwards.settle(lease, [
        first,
        { ...second, failure: { reason: 'status_422', isOfAddress: false } },
      ]);
      assert.deepEqual(await textsDue(forwards, lease), [Buffer.from(third.request.body).toString()]);
      await forwards.settle(lease, [{ ...third, failure: { reason: 'timed_out', isOfAddress: true } }]);
      // Its address is left alone for a while.
      assert.equal(await forwards.next(lease, 100), undefined);
      await forwards.release(lease);
      assert.deepEqual(await forwards.due(10), []);
      const state = await forwards.find('T1');
      assert.deepEqual([state?.waiting, state?.failed?.reason], [2, 'timed_out']);
      assert.ok(state?.deliveredAt);
      // Another address: all at once.
      await forwards.save('T1', `${address}2`, 'U1');
      assert.equal((await textsDue(forwards, await leaseOf(forwards))).length, 2);
    });

    it('does not count against a new address what the former one did not take', async (test) => {
      const { reportForwards: forwards } = await open(test);
      await forwards.save('T1', address, 'U1');
      await forwards.add('T1', requestOf('1'));
      await forwards.add('T1', requestOf('2'));
      const former = await leaseOf(forwards);
      const [first, second] = (await forwards.next(former, 10))?.due ?? [];
      assert.ok(first && second);
      await forwards.save('T1', `${address}2`, 'U1');
      await forwards.settle(former, [
        first,
        { ...second, failure: { reason: 'timed_out', isOfAddress: true } },
      ]);
      assert.equal(await forwards.next(former, 10), undefined);
      const lease = await leaseOf(forwards);
      const next = await forwards.next(lease, 10);
      assert.deepEqual([next?.address, next?.due.map(({ id }) => id)], [`${address}2`, [second.id]]);
      assert.equal((await forwards.find('T1'))?.failed, undefined);
    });

    it('drops and counts what is a day old, and what comes when it is full', async (test) => {
      const { db, reportForwards: forwards } = await open(test);
      await forwards.save('T1', address, 'U1');
      await forwards.add('T1', requestOf('1'));
      assert.equal(await forwards.dropOld('T1', new Date(0)), 0);
      assert.equal(await forwards.dropOld('T1', new Date(Date.now() + 1_000)), 1);
      assert.deepEqual((await forwards.find('T1'))?.dropped?.requests, 1);
      await db
        .updateTable('report_forwarding')
        .set({ waiting: maxWaiting.requests - 1 })
        .execute();
      await forwards.add('T1', requestOf('2'));
      await forwards.add('T1', requestOf('3'));
      const state = await forwards.find('T1');
      assert.deepEqual([state?.waiting, state?.dropped?.requests], [maxWaiting.requests, 2]);
      assert.deepEqual(await textsDue(forwards, await leaseOf(forwards)), ['2']);
    });

    it('is of its workspace alone, and goes with it and with its address', async (test) => {
      const store = await open(test);
      const { db, reportForwards: forwards } = store;
      for (const workspaceId of ['T1', 'T2', 'T3']) {
        await forwards.save(workspaceId, address, 'U1');
        await forwards.add(workspaceId, requestOf(workspaceId));
      }
      await forwards.remove('T1');
      await store.forget('T2');
      const rows = await db.selectFrom('report_forward').select(['workspace_id', 'request']).execute();
      assert.deepEqual(
        rows.map((row) => row.workspace_id),
        ['T3'],
      );
      assert.ok(
        !JSON.stringify(await db.selectFrom('report_forwarding').selectAll().execute()).includes('example'),
      );
      assert.deepEqual(await textsDue(forwards, await leaseOf(forwards, 'T3')), ['T3']);
    });

    it('loses what names a person who is erased, however the number is written', async (test) => {
      const { reportForwards: forwards, erasure } = await open(test);
      await forwards.save('T1', address, 'U1');
      const escaped = '{"receiver":"23480\\u00331234567"}';
      for (const text of [
        '{"receiver":"2348031234567"}',
        escaped,
        '{"receiver":"2348039999999"}',
        'no JSON',
      ]) {
        await forwards.add('T1', requestOf(text));
      }
      const number = phoneNumberSchema.parse('+2348031234567');
      const { signal } = new AbortController();
      await erasure.erase({ workspaceIds: ['T1'], number, areas: {}, signal });
      const left = await textsDue(forwards, await leaseOf(forwards));
      assert.deepEqual(left.sort(), ['no JSON', '{"receiver":"2348039999999"}']);
      const state = await forwards.find('T1');
      assert.deepEqual([state?.waiting, state?.dropped?.requests], [2, 2]);
    });
  });
});

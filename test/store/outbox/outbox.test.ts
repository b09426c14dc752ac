import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNotices, type NewNotice } from '../../../src/store/outbox/notices.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { dueIds, dueNotices, endLeases } from '../../support/store/due-notices.ts';
import { breakTable } from '../../support/store/faults.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const notice = (subjectId: string, change: Partial<NewNotice> = {}): NewNotice => ({
  workspaceId: 'T1',
  subject: 'import',
  subjectId,
  userId: 'U1',
  ...change,
});

const fail = () => Promise.reject(new Error('Slack is down'));

const hour = 60 * 60_000;

forEachDatabase(() => {
  test('delivers a notice once, by one of many callers', async (t) => {
    const { outbox } = await temporaryStore(t);
    await outbox.add(notice('one', { channelId: 'C1', title: 'Sale' }));
    await outbox.add(notice('one', { userId: 'U2' }));
    const sent: unknown[] = [];
    const deliveries = [1, 2, 3].map(() =>
      outbox.deliver(notice('one'), async (known) => void sent.push(known)),
    );
    assert.deepEqual((await Promise.all(deliveries)).sort(), ['held', 'held', 'taken']);
    const state = { channelProblem: undefined, repeated: false, attempts: 0 };
    assert.deepEqual(sent, [{ ...notice('one', { channelId: 'C1', title: 'Sale' }), ...state }]);
    assert.equal(await outbox.deliver(notice('one'), () => assert.fail('delivered again')), 'gone');
    assert.deepEqual(await dueIds({ outbox }), []);
  });

  test('delivers a notice once more that is renewed while it is delivered', async (t) => {
    const { db, outbox } = await temporaryStore(t);
    const one = notice('one');
    await outbox.add(one);
    let sent = 0;
    const taking = await outbox.deliver(one, async (known) => {
      sent += 1;
      assert.equal(known.repeated, false);
      await outbox.record(one, { repeated: true });
      if (sent === 1) {
        await addNotices(db, [one], new Date(0), { renew: true });
      }
    });
    assert.deepEqual([taking, sent], ['taken', 2]);
    await addNotices(db, [one], new Date(0), { renew: true });
    await addNotices(db, [one], new Date(0), { renew: true });
    await outbox.deliver(one, async () => {
      sent += 1;
    });
    assert.deepEqual([sent, await dueIds({ outbox })], [3, []]);
  });

  test('neither returns nor delivers a notice while it is held', async (t) => {
    const { outbox } = await temporaryStore(t);
    await outbox.add(notice('one'));
    await outbox.hold(notice('one'), async () => {
      assert.deepEqual(await dueIds({ outbox }), []);
      assert.equal(await outbox.deliver(notice('one'), () => assert.fail('delivered')), 'held');
    });
    assert.deepEqual(await dueIds({ outbox }), ['one']);
    await assert.rejects(outbox.hold(notice('one'), fail), /Slack is down/);
    const [{ attempts } = { attempts: undefined }] = await dueNotices({ outbox });
    assert.equal(attempts, 0);
  });

  test('delays notices that fail for longer each time, and returns all others first', async (t) => {
    const { clock, pass } = stoppedClock();
    const { outbox } = await temporaryStore(t, { time: clock });
    for (let count = 0; count < 12; count += 1) {
      await outbox.add(notice(`poisoned ${count}`));
    }
    for (const { subjectId } of await dueNotices({ outbox })) {
      await assert.rejects(outbox.deliver(notice(subjectId), fail), /Slack is down/);
    }
    assert.deepEqual(await dueIds({ outbox }), []);
    pass(2_000);
    await outbox.add(notice('fine'));
    const due = await dueIds({ outbox });
    assert.deepEqual([due.length, due[0]], [13, 'fine']);
    await assert.rejects(outbox.deliver(notice('poisoned 7'), fail));
    pass(2_000);
    assert.ok(!(await dueIds({ outbox })).includes('poisoned 7'));
    pass(2_000);
    assert.equal((await dueIds({ outbox })).at(-1), 'poisoned 7');
  });

  test('returns a failed notice within an hour, however often it failed, and at once after a start', async (t) => {
    const { clock, pass } = stoppedClock();
    const options = {
      time: clock,
      dataDir: temporaryFolder(t),
      encryptionKeys: [newEncryptionKey()],
    };
    const store = await temporaryStore(t, options);
    const failures = [1, 8, 13, 60];
    for (const times of failures) {
      const one = notice(`failed ${times}`);
      await store.outbox.add(one);
      for (let count = 0; count < times; count += 1) {
        await assert.rejects(store.outbox.deliver(one, fail));
      }
      pass(hour);
      assert.ok((await dueIds(store)).includes(one.subjectId));
      await assert.rejects(store.outbox.deliver(one, fail));
    }
    assert.ok((await dueIds(store)).length < failures.length);
    await store.close();
    const next = await temporaryStore(t, options);
    await next.outbox.recover(clock.now());
    assert.equal((await dueIds(next)).length, failures.length);
  });

  test('returns a notice that was delayed while the clock was ahead', async (t) => {
    const { clock, pass } = stoppedClock();
    const { outbox } = await temporaryStore(t, { time: clock });
    pass(24 * hour);
    await outbox.add(notice('one'));
    await assert.rejects(outbox.deliver(notice('one'), fail));
    pass(-24 * hour);
    assert.deepEqual(await dueIds({ outbox }), ['one']);
  });

  test('keeps the delivery state of an attempt that a crash interrupted', async (t) => {
    const options = { dataDir: temporaryFolder(t), encryptionKeys: [newEncryptionKey()] };
    const store = await temporaryStore(t, options);
    await store.outbox.add(notice('one', { channelId: 'C1' }));
    const { promise: recorded, resolve } = Promise.withResolvers<void>();
    void store.outbox.deliver(notice('one'), async (known) => {
      await store.outbox.record(known, { channelProblem: 'unconfirmed', repeated: true });
      resolve();
      await new Promise(() => {});
    });
    await recorded;
    await store.close();
    const after = await temporaryStore(t, options);
    await after.outbox.recover(new Date());
    await endLeases(after);
    const [known] = await dueNotices(after);
    assert.deepEqual([known?.channelProblem, known?.repeated, known?.attempts], ['unconfirmed', true, 0]);
  });

  test('retries storing whether a notice was delivered', async (t) => {
    const timers = steppedTimers();
    const { clock, pass } = stoppedClock();
    const { db, outbox } = await temporaryStore(t, { time: clock, timers, connections: 1 });
    for (const isSent of [true, false]) {
      let repair = async () => {};
      await outbox.add(notice('one'));
      const delivery = outbox.deliver(notice('one'), async () => {
        repair = await breakTable(db, 'outbox', isSent ? 'delete' : 'update');
        if (!isSent) {
          throw new Error('Slack is down');
        }
      });
      await assert.rejects(delivery, /broken/);
      await repair();
      assert.deepEqual(await dueIds({ outbox }), []);
      assert.equal(await outbox.deliver(notice('one'), () => assert.fail('delivered again')), 'held');
      await timers.advance(1_000);
      pass(2_000);
      assert.deepEqual(await dueIds({ outbox }), isSent ? [] : ['one']);
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createNotifier } from '../../../src/slack/notifier/notices.ts';
import type { NewNotice, Notice } from '../../../src/store/outbox/notices.ts';
import { allNoticesBy } from '../../support/notices.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { dueIds, endLeases } from '../../support/store/due-notices.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { severalInstances, twoStores } from '../../support/store/two-stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const notice = (subjectId: string): NewNotice => ({
  workspaceId: 'T1',
  subject: 'import',
  subjectId,
  userId: 'U1',
  channelId: 'C1',
});

test('two instances deliver many notices at once, each notice once', severalInstances, async (t) => {
  const stores = await twoStores(t);
  const ids = Array.from({ length: 60 }, (_, index) => `notice ${index}`);
  for (const id of ids) {
    await stores[0].outbox.add(notice(id));
  }
  const delivered: string[] = [];
  const log = pino({ level: 'silent' });
  const notifiers = stores.map((store) => {
    const { outbox } = store;
    const deliver = (known: Notice) =>
      outbox.deliver(known, async () => {
        await outbox.record(known, { channelProblem: 'unconfirmed', repeated: false });
        delivered.push(known.subjectId);
      });
    return createNotifier({ store, log }, allNoticesBy(deliver));
  });
  await Promise.all([...notifiers, ...notifiers].map((notify) => notify()));
  assert.deepEqual(delivered.toSorted(), ids.toSorted());
  assert.deepEqual(await dueIds(stores[1]), []);
});

test(
  'what one instance holds or delivers, another one neither gets nor delivers',
  severalInstances,
  async (t) => {
    const [one, other] = await twoStores(t);
    await one.outbox.add(notice('one'));
    for (const keep of [one.outbox.hold, one.outbox.deliver]) {
      await keep(notice('one'), async () => {
        assert.deepEqual(await dueIds(other), []);
        assert.equal(await other.outbox.deliver(notice('one'), () => assert.fail('delivered')), 'held');
        assert.equal(await other.outbox.hold(notice('one'), () => assert.fail('held')), 'held');
        await other.outbox.recover(new Date());
        assert.deepEqual(await dueIds(other), []);
      });
      assert.deepEqual(await dueIds(other), keep === one.outbox.hold ? ['one'] : []);
    }
  },
);

test(
  'an instance that stood still while it delivered posts nothing more, and changes nothing',
  severalInstances,
  async (t) => {
    const [asleep, awake] = await twoStores(t);
    await asleep.outbox.add(notice('one'));
    const awoken = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const late = asleep.outbox.deliver(notice('one'), async (known) => {
      await asleep.outbox.record(known, { channelProblem: 'unconfirmed', repeated: false });
      begun.resolve();
      await awoken.promise;
      // Before the next attempt, as each is recorded.
      await asleep.outbox.record(known, { channelProblem: undefined, repeated: true });
      assert.fail('posted');
    });
    await begun.promise;
    await endLeases(awake);
    await awake.outbox.deliver(notice('one'), async (known) => {
      // In doubt, as the first may have reached the channel.
      assert.equal(known.channelProblem, 'unconfirmed');
      await awake.outbox.record(known, { channelProblem: 'unconfirmed', repeated: true });
      awoken.resolve();
      await assert.rejects(late, /another instance delivers it by now/);
      const row = await awake.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
      assert.deepEqual([row.attempts, row.channelProblem, row.repeated], [0, 'unconfirmed', true]);
    });
    assert.equal(await asleep.outbox.deliver(notice('one'), () => assert.fail('delivered again')), 'gone');
  },
);

test(
  'a notice stays with the instance that delivers it, though another one, late, has delivered it',
  severalInstances,
  async (t) => {
    const [asleep, awake] = await twoStores(t);
    await asleep.outbox.add(notice('one'));
    const awoken = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const late = asleep.outbox.deliver(notice('one'), async () => {
      begun.resolve();
      await awoken.promise;
    });
    await begun.promise;
    await endLeases(awake);
    const failed = awake.outbox.deliver(notice('one'), async () => {
      awoken.resolve();
      await late;
      throw new Error('Slack is down');
    });
    await assert.rejects(failed, /Slack is down/);
    const row = await awake.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([row.attempts, row.lease], [1, undefined]);
  },
);

forEachDatabase((database) => {
  test('renews the lease of a notice whose delivery takes long', async (t) => {
    const timers = steppedTimers();
    const store = await temporaryStore(t, { database, timers });
    const sleeping = timers.pending();
    await store.outbox.add(notice('one'));
    await store.outbox.deliver(notice('one'), async () => {
      await endLeases(store);
      assert.deepEqual(await dueIds(store), []);
      await timers.advance(5_000);
      const leaseOf = () => store.db.selectFrom('outbox').select('leaseUntil').executeTakeFirstOrThrow();
      while (((await leaseOf()).leaseUntil?.getTime() ?? 0) <= 1) {
        await new Promise(setImmediate);
      }
    });
    while (timers.pending() !== sleeping) {
      await new Promise(setImmediate);
    }
  });

  test('has a notice due once its delivery was cut off for as long as the lease', async (t) => {
    const options = { database, dataDir: temporaryFolder(t), encryptionKeys: [newEncryptionKey()] };
    const store = await temporaryStore(t, options);
    await store.outbox.add(notice('one'));
    const begun = Promise.withResolvers<void>();
    void store.outbox.deliver(notice('one'), async () => {
      begun.resolve();
      await new Promise(() => {});
    });
    await begun.promise;
    await store.close();
    const after = await temporaryStore(t, options);
    assert.deepEqual(await dueIds(after), []);
    await endLeases(after);
    assert.deepEqual(await dueIds(after), ['one']);
  });
});

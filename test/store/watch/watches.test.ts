import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideWatch, type WatchFacts } from '../../../src/domain/watch/watch.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { severalInstances, twoStores } from '../../support/store/two-stores.ts';

const key = { workspaceId: 'T1', subject: 'balance', kind: 'balance' } as const;
const destination = { userId: 'U1', channelId: 'C1' };
const at = new Date('2026-03-01T12:00:00Z');

const judge = ({ watches }: Store, step: string | undefined, now = at) =>
  watches.change(key, destination, (row) =>
    decideWatch(row, step === undefined ? undefined : ({ step } satisfies WatchFacts), now),
  );

async function notices({ db }: Store) {
  const rows = await db.selectFrom('outbox').selectAll().orderBy('subjectId').execute();
  return rows.map((row) => `${row.subject} ${row.subjectId} ${row.channelId} ${row.userId}`);
}

async function shows({ watches }: Store): Promise<void> {
  const row = await watches.find(key);
  assert.ok(row);
  await watches.setMessage(row, { channel: 'C1', ts: '1.1' });
  await watches.setShown(row);
}

forEachDatabase(() => {
  test('a subject has one notice until it is over; its message goes on until it shows that', async (t) => {
    const store = await temporaryStore(t);
    assert.equal(await judge(store, 'low'), true);
    assert.equal(await judge(store, 'low'), false);
    assert.equal(await judge(store, 'half'), true);
    await shows(store);
    const later = new Date(at.getTime() + 60_000);
    assert.equal(await judge(store, undefined, later), true);
    assert.equal(await judge(store, 'low', later), true);
    assert.deepEqual((await store.watches.find(key))?.message, { channel: 'C1', ts: '1.1' });
    assert.equal(await judge(store, undefined, later), true);
    await shows(store);
    assert.equal(await judge(store, 'low', later), true);
    const next = await store.watches.find(key);
    assert.deepEqual([next?.message, next?.since], [undefined, later]);
    assert.deepEqual(
      await notices(store),
      [at, later].map((since) => `watch balance@${since.getTime()} C1 U1`),
    );
  });

  test('a look is due once in its time, a digest once on its date, and nothing while watchers are off', async (t) => {
    const store = await temporaryStore(t);
    const { watches } = store;
    assert.deepEqual(await watches.startCheck('T1', 'esim', 60_000), { facts: { step: '' } });
    await watches.setSeen('T1', 'esim', { step: 'read' }, at);
    assert.equal(await watches.startCheck('T1', 'esim', 60_000), undefined);
    assert.deepEqual(await watches.startCheck('T1', 'esim', 0), { facts: { step: 'read' } });
    const digest = (date: string, isNeeded = true) => watches.digest('T1', { date, destination, isNeeded });
    assert.equal(await digest('2026-03-01'), false);
    await watches.begin('T1', '2026-03-01', { isOn: false });
    await watches.begin('T1', '', { isOn: true });
    assert.deepEqual(await watches.workspaces(), ['T1']);
    assert.equal(await digest('2026-03-01'), false);
    assert.equal(await digest('2026-03-02', false), false);
    assert.equal(await digest('2026-03-02'), false);
    assert.equal(await digest('2026-03-03'), true);
    assert.equal(await digest('2026-03-02'), false);
    assert.deepEqual(await notices(store), ['digest 2026-03-03 C1 U1']);
    await watches.stop('T1');
    assert.deepEqual(await watches.workspaces(), []);
  });

  test(
    'instances that judge at the same moment raise one notice, and add one digest',
    severalInstances,
    async (t) => {
      const stores = await twoStores(t);
      await stores[0].watches.begin('T1', '', { isOn: false });
      const judged = await Promise.all([...stores, ...stores].map((store) => judge(store, 'low')));
      assert.equal(judged.filter(Boolean).length, 1);
      const date = '2026-03-01';
      const added = await Promise.all(
        [...stores, ...stores].map(({ watches }) =>
          watches.digest('T1', { date, destination, isNeeded: true }),
        ),
      );
      assert.equal(added.filter(Boolean).length, 1);
      assert.deepEqual(await notices(stores[1]), [
        `digest ${date} C1 U1`,
        `watch balance@${at.getTime()} C1 U1`,
      ]);
    },
  );
});

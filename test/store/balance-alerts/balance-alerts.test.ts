import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { severalInstances, twoStores } from '../../support/store/two-stores.ts';

const alert = { workspaceId: 'T1', channelId: 'C1', below: '1000', setBy: 'U1' };

async function notices({ db }: Store) {
  const rows = await db.selectFrom('outbox').selectAll().where('subject', '=', 'balance').execute();
  return rows.map((row) => `${row.subjectId} ${row.channelId} ${row.userId}`);
}

forEachDatabase(() => {
  test('an alert is posted once for each fall, and again only after the balance has recovered', async (t) => {
    const store = await temporaryStore(t);
    const { balanceAlerts } = store;
    await balanceAlerts.save(alert);
    const judgements = [false, true, true, false, true];
    const posted = [];
    for (const isLow of judgements) {
      posted.push(await balanceAlerts.judge('T1', isLow));
    }
    assert.deepEqual(posted, [false, true, false, false, true]);
    assert.deepEqual(await notices(store), ['1 C1 U1', '2 C1 U1']);
  });

  test('an alert that is changed is judged from the beginning; one that was removed is not', async (t) => {
    const store = await temporaryStore(t);
    const { balanceAlerts } = store;
    await balanceAlerts.save(alert);
    await balanceAlerts.judge('T1', true);
    const other = { ...alert, channelId: 'C2', below: '500', setBy: 'U2' };
    await balanceAlerts.save(other);
    assert.deepEqual(await balanceAlerts.all(), [other]);
    assert.equal(await balanceAlerts.judge('T1', true), true);
    assert.deepEqual(await notices(store), ['1 C1 U1', '2 C2 U2']);
    await balanceAlerts.remove('T1');
    assert.equal(await balanceAlerts.find('T1'), undefined);
    assert.equal(await balanceAlerts.judge('T1', true), false);
  });

  test('instances that judge at the same moment post it once', severalInstances, async (t) => {
    const stores = await twoStores(t);
    await stores[0].balanceAlerts.save(alert);
    const judged = await Promise.all(
      [...stores, ...stores].map(({ balanceAlerts }) => balanceAlerts.judge('T1', true)),
    );
    assert.equal(judged.filter(Boolean).length, 1);
    assert.deepEqual(await notices(stores[1]), ['1 C1 U1']);
  });
});

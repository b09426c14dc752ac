import assert from 'node:assert/strict';
import { it } from 'node:test';
import { untilWaiting } from '../../support/store/lock-barrier.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

it('reports are taken in also where PostgreSQL undoes their write, as two waited for each other', async (test) => {
  const store = await temporaryStore(test, { database: 'postgres' });
  const record = (status: string) =>
    store.deliveries.record(
      'T1',
      ['m1', 'm2'].map((providerId) => ({ providerId, number: '+2348031234567', status, source: 'report' })),
    );
  await record('Sent');
  const lock = (db: typeof store.db, providerId: string) =>
    db.updateTable('delivery').set({ pending: 0 }).where('provider_id', '=', providerId).execute();
  let recorded: Promise<void> | undefined;
  await store.db.transaction().execute(async (transaction) => {
    await lock(transaction, 'm2');
    recorded = record('Delivered');
    // It waits longer than this transaction is about to, so it is the one that is undone.
    await untilWaiting(store.db, 1);
    await lock(transaction, 'm1');
  });
  await recorded;
  assert.deepEqual(
    (await store.deliveries.of('T1', ['m1', 'm2'])).map(({ state }) => state),
    ['delivered', 'delivered'],
  );
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachDatabase, onlyOn } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { undoOnce } from '../../support/store/undo-once.ts';

forEachDatabase(() => {
  it(
    'reports are taken in also where PostgreSQL undoes their write, as two waited for each other',
    onlyOn('postgres', 'SQLite undoes no transaction'),
    async (test) => {
      const store = await temporaryStore(test);
      const record = (status: string) =>
        store.deliveries.record(
          'T1',
          ['m1', 'm2'].map((providerId) => ({
            providerId,
            number: '+2348031234567',
            status,
            source: 'report',
          })),
        );
      await record('Sent');
      const times = await undoOnce(store.db, { table: 'delivery', column: 'provider_id', value: 'm2' });
      await record('Delivered');
      assert.equal(await times(), 2);
      assert.deepEqual(
        (await store.deliveries.of('T1', ['m1', 'm2'])).map(({ state }) => state),
        ['delivered', 'delivered'],
      );
    },
  );
});

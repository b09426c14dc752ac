import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { isLeaseOver, leaseEnd } from '../../src/store/engine/instances/database-now.ts';
import { forEachDatabase } from '../support/store/databases.ts';
import { temporaryStore } from '../support/store/temporary-store.ts';

forEachDatabase(() => {
  test('a lease is over at its end, and where it was taken while the clock was ahead', async (t) => {
    const { db } = await temporaryStore(t);
    const [takenAt, ms] = [1_800_000_000_000, 5_000];
    const at = (time: number) => sql<number>`cast(${time} as bigint)`;
    const lease = { workspaceId: 'E1', holder: 'one', expires: leaseEnd(at(takenAt), ms) };
    await db.insertInto('slackLease').values(lease).execute();
    const isOver = async (time: number) => {
      const over = db
        .selectFrom('slackLease')
        .select('holder')
        .where(isLeaseOver('expires', at(time), ms));
      return (await over.execute()).length === 1;
    };
    assert.deepEqual(await Promise.all([takenAt, takenAt + ms - 1].map(isOver)), [false, false]);
    assert.deepEqual(await Promise.all([takenAt + ms, takenAt - 1].map(isOver)), [true, true]);
  });
});

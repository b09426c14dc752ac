import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Store } from '../../src/store/store.ts';
import { forEachDatabase, testedDatabase } from '../support/store/databases.ts';
import { performIn } from '../support/store/perform-in.ts';
import { temporaryStore } from '../support/store/temporary-store.ts';

const sent = { kind: 'sms.send', userId: 'U1', summary: {} };

/** With a last slice that is not full, and none. */
const counts = [401, 400];

/** Writes rows into every table that is deleted in slices, all at the same time. */
async function fill({ db, suppressionList }: Store, workspaceId: string, count: number): Promise<void> {
  const named = Array.from({ length: count }, (_, index) => `${workspaceId}-${index}`);
  const at = new Date(1_700_000_000_000);
  for (let from = 0; from < count; from += 50) {
    const slice = named.slice(from, from + 50);
    const operations = slice.map((id) => ({
      ...{ id, workspaceId, key: id, kind: 'sms.send', userId: 'U1', summary: {} },
      ...{ state: 'accepted' as const, run: 'r', createdAt: at, endedAt: at },
    }));
    await db.insertInto('operation').values(operations).execute();
    const numbers = slice.map((id) => ({ hash: 'h', operationId: id, createdAt: at }));
    await db.insertInto('operationNumber').values(numbers).execute();
    const texts = slice.map((id) => ({
      ...{ operationId: id, workspaceId, value: 'v1.text', createdAt: at },
    }));
    await db.insertInto('operationText').values(texts).execute();
    const windows = slice.map((key) => ({ workspaceId, key, points: 1, expires: at }));
    await db.insertInto('limitWindow').values(windows).execute();
  }
  const numbers = named.map((_, index) => `+23480512${String(index).padStart(5, '0')}`);
  await suppressionList.add(workspaceId, numbers, 'U1', { source: { kind: 'typed' } });
}

const tables = ['operation', 'operationNumber', 'operationText', 'limitWindow', 'suppression'] as const;

async function rowsOf({ db }: Store): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      db,
    );
    found[table] = Number(rows[0]?.count);
  }
  return found;
}

/** Holds a row of the workspace on PostgreSQL, so that it is not forgotten first. SQLite does one thing after the other. */
async function whileHeld<Result>({ db }: Store, work: () => Promise<Result>): Promise<Result> {
  if (testedDatabase === 'sqlite') {
    return work();
  }
  return db.transaction().execute(async (transaction) => {
    await sql`select id from operation where id = 'T1-0' for update`.execute(transaction);
    return work();
  });
}

const each = (count: number) => Object.fromEntries(tables.map((table) => [table, count]));

forEachDatabase(() => {
  for (const count of counts) {
    test(`a workspace with ${count} rows of each kind is forgotten slice by slice, and others act between them`, async (t) => {
      const store = await temporaryStore(t);
      await fill(store, 'T1', count);
      await fill(store, 'T2', 250);
      assert.deepEqual(await rowsOf(store), each(count + 250));
      let isForgotten = false;
      const forgetting = await whileHeld(store, async () => {
        const ending = store.forget('T1').then(() => {
          isForgotten = true;
        });
        await performIn(store.ledger, { workspaceId: 'T2', key: 'k', ...sent }, async () => ({
          state: 'accepted',
        }));
        assert.equal(isForgotten, false, 'another workspace need not wait for it');
        return { ending };
      });
      await forgetting.ending;
      assert.deepEqual(await rowsOf(store), { ...each(250), operation: 251 });
      const { rows } = await sql<{ id: string }>`
      select operation_id as id from operation_number where operation_id like 'T1-%'
      union all select id from operation where workspace_id = 'T1'`.execute(store.db);
      assert.deepEqual(rows, []);
    });
  }

  test('a deletion that is cut off leaves whole slices, and the next one completes it', async (t) => {
    const store = await temporaryStore(t);
    await fill(store, 'T1', 401);
    // A row that cannot be deleted yet.
    await sql`create table pin (operation text references operation (id))`.execute(store.db);
    await sql`insert into pin values ('T1-400')`.execute(store.db);
    await assert.rejects(store.forget('T1'));
    const left = await rowsOf(store);
    assert.equal((401 - (left.operation ?? 0)) % 200, 0, `${left.operation} are left`);
    assert.deepEqual([left.operationNumber, left.operationText], [left.operation, left.operation]);
    await sql`drop table pin`.execute(store.db);
    await store.forget('T1');
    assert.deepEqual(await rowsOf(store), each(0));
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { Secret } from '../../../src/lib/secret.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import { connectionConfig } from '../../../src/store/engine/postgres/connection.ts';
import { openPostgres } from '../../../src/store/engine/postgres/database.ts';
import { inTransaction } from '../../../src/store/engine/transaction.ts';
import { createPostgresDatabase, forEachDatabase, onlyOn } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const timers = systemTimers;

interface Tables {
  note: { id: number; text: string | null };
}

/** Opens an empty database, which is removed when the test ends. */
async function emptyDatabase(t: TestContext) {
  const created = await createPostgresDatabase({ empty: true });
  const database = await openPostgres<Tables>(created, { timers });
  t.after(async () => {
    await database.close();
    await created.drop();
  });
  return { ...database, created };
}

async function addNotes(db: Kysely<Tables>, ...texts: string[]): Promise<void> {
  await sql`create table note (id bigint primary key, text text)`.execute(db);
  for (const [index, text] of texts.entries()) {
    await db
      .insertInto('note')
      .values({ id: index + 1, text })
      .execute();
  }
}

describe('PostgreSQL', onlyOn('postgres', 'it is about PostgreSQL'), () => {
  it('is migrated by several instances that start at once', async (t) => {
    const { db, created } = await emptyDatabase(t);
    const others = await Promise.all([1, 2, 3].map(() => openPostgres<Tables>(created, { timers })));
    await Promise.all([db, ...others.map((other) => other.db)].map((each) => migrate(each)));
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    assert.deepEqual(rows, [{ name: '0001-first-tables' }]);
    await Promise.all(others.map((other) => other.close()));
  });

  it('takes empty lists and large integers as SQLite does', async (t) => {
    const { db } = await emptyDatabase(t);
    await addNotes(db, 'b', 'a', 'B', '_', 'é', 'Z', '-');
    assert.deepEqual(await db.selectFrom('note').select('id').where('text', 'in', []).execute(), []);
    assert.equal((await db.selectFrom('note').select('id').where('text', 'not in', []).execute()).length, 7);
    const { rows } = await sql<{ large: number; sum: number }>`
      select ${Number.MAX_SAFE_INTEGER}::bigint as large, sum(id) as sum from note`.execute(db);
    assert.deepEqual(rows, [{ large: Number.MAX_SAFE_INTEGER, sum: 28 }]);
  });

  it('makes a transaction again that was undone because two waited for each other', async (t) => {
    const { db } = await emptyDatabase(t);
    await addNotes(db, 'one', 'two');
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let attempts = 0;
    const change = async (own: 0 | 1) =>
      inTransaction(db, async (transaction) => {
        attempts += 1;
        for (const id of own === 0 ? [1, 2] : [2, 1]) {
          await transaction
            .updateTable('note')
            .set({ text: sql`text || ${own}` })
            .where('id', '=', id)
            .execute();
          both[own].resolve();
          await both[own === 0 ? 1 : 0].promise;
        }
      });
    await Promise.all([change(0), change(1)]);
    assert.ok(attempts > 2, `${attempts} attempts`);
    const notes = await db.selectFrom('note').select('text').execute();
    assert.deepEqual(new Set(notes.map(({ text }) => text?.length)), new Set(['one'.length + 2]));
  });

  it('says that it cannot be reached, and can be again, without naming where it is', async (t) => {
    const { db, probe, created } = await emptyDatabase(t);
    await addNotes(db);
    await probe();
    await created.cutConnections();
    const unreachable = { name: 'StoreError', fault: 'unreachable' };
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => db.selectFrom('note').selectAll().execute()),
    );
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'fulfilled' || outcome.reason.fault === 'unreachable');
    }
    await probe();
    const nowhere = { url: new Secret('postgres://somebody:hush@127.0.0.1:1/nothing') };
    await assert.rejects(openPostgres(nowhere, { timers }), (error: Error) => {
      assert.deepEqual({ ...unreachable }, { name: error.name, fault: 'fault' in error && error.fault });
      assert.doesNotMatch(error.message, /hush|somebody|127/);
      return true;
    });
  });

  it('throws the error of a wrong statement as it is, and goes on', async (t) => {
    const { db } = await emptyDatabase(t);
    await assert.rejects(sql`select nothing`.execute(db), { code: '42703' });
    await assert.rejects(
      inTransaction(db, async (transaction) => {
        await sql`select nothing`.execute(transaction).catch(() => {});
      }),
      /rolled back/,
    );
    await sql`select 1`.execute(db);
  });

  it('is connected to with a verified certificate, unless it is on this machine or said otherwise', () => {
    const ssl = (url: string) => connectionConfig({ url: new Secret(url) }).ssl;
    assert.deepEqual(ssl('postgres://u:p@db.example/s'), { rejectUnauthorized: true });
    assert.deepEqual(ssl('postgres://u:p@db.example/s?sslmode=verify-full'), { rejectUnauthorized: true });
    for (const plain of ['db.example/s?sslmode=disable', '127.0.0.1/s', 'localhost:1/s', '[::1]/s']) {
      assert.equal(ssl(`postgres://u:p@${plain}`), false, plain);
    }
    const { host, user, password, database } = connectionConfig({
      url: new Secret('postgres://a%40b:p%2Fq@%2Fvar%2Frun/s%20t'),
    });
    assert.deepEqual([host, user, password, database], ['/var/run', 'a@b', 'p/q', 's t']);
  });
});

forEachDatabase((database) => {
  it('begins an operation once for each key, however many instances ask at once', async (t) => {
    const { ledger } = await temporaryStore(t, { database });
    let calls = 0;
    const perform = () =>
      performIn(
        ledger,
        { workspaceId: 'T1', key: 'k', kind: 'sms.send', userId: 'U1', summary: {} },
        async () => {
          calls += 1;
          return { state: 'accepted' };
        },
      );
    const outcomes = await Promise.all(Array.from({ length: 20 }, perform));
    assert.equal(calls, 1);
    assert.equal(outcomes.filter(({ first }) => first).length, 1);
  });
});

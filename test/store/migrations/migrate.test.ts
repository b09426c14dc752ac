import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { ownId } from '../../../src/services/operations/ownership.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import { firstTables } from '../../../src/store/migrations/0001-first-tables.ts';
import { campaigns } from '../../../src/store/migrations/0002-campaigns.ts';
import { migrate, released } from '../../../src/store/migrations/migrate.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { newEncryptionKey } from '../../support/temporary-store.ts';

async function temporaryDatabase(t: TestContext) {
  const { db, close } = await openDatabase(join(temporaryFolder(t), 'test.db'), [newEncryptionKey()]);
  t.after(close);
  return db;
}

const createTable = (name: string) => ({
  up: (db: Kysely<unknown>) => db.schema.createTable(name).addColumn('id', 'text').execute(),
});

test('migrating again changes nothing', async (t) => {
  const db = await temporaryDatabase(t);
  await migrate(db);
  const tables = await db.introspection.getTables();
  await migrate(db);
  assert.deepEqual(await db.introspection.getTables(), tables);
});

test('a migration that fails half-way leaves the tables as they were', async (t) => {
  const db = await temporaryDatabase(t);
  const failing = {
    up: async (database: Kysely<unknown>) => {
      await createTable('half').up(database);
      throw new Error('the disk is full');
    },
  };
  await assert.rejects(migrate(db, { '1': createTable('first'), '2': failing }), {
    name: 'StoreError',
    fault: 'bad_schema',
    message: /the disk is full.*Nothing was changed/,
  });
  assert.deepEqual(await db.introspection.getTables(), []);

  await migrate(db, { '1': createTable('first'), '2': createTable('half') });
  const tables = await db.introspection.getTables();
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['first', 'half'],
  );
});

test('tables of a newer version are refused', async (t) => {
  const db = await temporaryDatabase(t);
  await migrate(db, { '1': createTable('first'), '2': createTable('second') });
  await assert.rejects(migrate(db, { '1': createTable('first') }), {
    name: 'StoreError',
    fault: 'bad_schema',
    message: /newer version/,
  });
});

test('what an earlier version had not told is still told, and what it may have posted is known', async (t) => {
  const db = await temporaryDatabase(t);
  await migrate(db, { '0001-first-tables': firstTables, '0002-campaigns': campaigns });
  const operation = (id: string, place: string | null, toldBy: string | null, notifiedAt: number | null) =>
    sql`insert into operation (id, workspace_id, key, kind, actor, place, summary, state, run, created_at, ended_at, told_by, told_at)
      values (${id}, 'T1', ${id}, 'sms.send', 'U1', ${place}, '{}', 'accepted', 'old', 1, 2, ${toldBy}, ${notifiedAt})`.execute(
      db,
    );
  await operation('told', 'C1', 'old', 3);
  await operation('waiting', 'C1', null, null);
  await operation('begun', 'C1', 'old', null);
  await operation('begun for one', null, 'old', null);
  const campaign = (id: string, state: string, notifiedAt: number | null) =>
    sql`insert into campaign (workspace_id, id, author, name, route, sender_id, personal, state, run, created_at, state_changed_at, told_at)
      values ('T1', ${id}, 'U1', 'Sale', 'dnd', 'Shop', 0, ${state}, 'old', 1, 2, ${notifiedAt})`.execute(db);
  await campaign('over', 'done', 3);
  await campaign('running', 'running', null);
  await campaign('ready', 'ready', null);
  await migrate(db);
  const rows = await db
    .selectFrom('outbox')
    .select(['subject_id', 'channel_error', 'repeated'])
    .orderBy('subject_id')
    .execute();
  assert.deepEqual(
    rows.map(({ subject_id, channel_error, repeated }) => [subject_id, channel_error, repeated]),
    [
      ['begun', 'unconfirmed', 0],
      ['begun for one', null, 1],
      ['running', null, 0],
      ['waiting', null, 0],
    ],
  );
});

test('what is in the outbox stays, as it was, when the outbox takes one more subject', async (t) => {
  const db = await temporaryDatabase(t);
  const { '0007-restored-notices': _, ...before } = released;
  await migrate(db, before);
  await sql`insert into outbox values ('T1', 'operation', 'o1', 'U1', 'C1', 'unconfirmed', 1, 'Sale', 3, 7)`.execute(
    db,
  );
  const all = () => db.selectFrom('outbox').selectAll().execute();
  const kept = await all();
  assert.equal(kept.length, 1);
  await migrate(db);
  assert.deepEqual(await all(), kept);
  await sql`update outbox set subject = 'restored'`.execute(db);
  await assert.rejects(sql`update outbox set subject = 'other'`.execute(db), /outbox_subject/);
});

test('the keys of operations become their actors’ own, so that a form from before does nothing twice', async (t) => {
  const db = await temporaryDatabase(t);
  const { '0006-own-keys': _, '0007-restored-notices': __, ...before } = released;
  await migrate(db, before);
  const key = 'sIe9rRtyzC2n0kqWbV3_aQ';
  await sql`
    insert into operation (id, workspace_id, key, kind, actor, summary, state, run, created_at)
    values ('1', 'T1', ${key}, 'sms.send', 'U1', '{}', 'underway', 'before', 0)`.execute(db);
  await migrate(db);
  const { key: own } = await db.selectFrom('operation').select('key').executeTakeFirstOrThrow();
  assert.equal(own, ownId('U1', key));
});

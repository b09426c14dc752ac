import assert from 'node:assert/strict';
import { describe, it, type TestContext, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { ownId } from '../../../src/services/operations/ownership.ts';
import { createWorkspaceRoles } from '../../../src/store/access/workspace-roles.ts';
import { createCostStore } from '../../../src/store/costs/costs-store.ts';
import { migrate, released } from '../../../src/store/migrations/migrate.ts';
import type { Schema } from '../../../src/store/schema.ts';
import { temporaryDatabase } from '../../support/temporary-database.ts';

/** Returns the database with the migrations before the one of this name. */
async function databaseBefore(t: TestContext, name: string) {
  const { db } = await temporaryDatabase<Schema>(t);
  const before = Object.entries(released).filter(([other]) => other < name);
  assert.ok(before.length < Object.keys(released).length);
  await migrate(db, Object.fromEntries(before));
  return db;
}

const createTable = (name: string) => ({
  up: (db: Kysely<unknown>) => db.schema.createTable(name).addColumn('id', 'text').execute(),
});

const nothing = { up: async () => {} };

test('changes nothing when run again', async (t) => {
  const { db } = await temporaryDatabase<Schema>(t);
  await migrate(db);
  const tables = await db.introspection.getTables();
  await migrate(db);
  assert.deepEqual(await db.introspection.getTables(), tables);
});

test('leaves the tables as they were when a migration fails half-way', async (t) => {
  const { db } = await temporaryDatabase<Schema>(t);
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

describe('the tables of a newer version', () => {
  const ours = { '0001-first': createTable('first'), '0002-second': createTable('second') };

  it('are worked with where they were only added to, and stay as they are', async (t) => {
    const { db } = await temporaryDatabase<Schema>(t);
    await migrate(db, { ...ours, '0003-third': createTable('third'), '0004-fourth-needs-0002': nothing });
    const tables = await db.introspection.getTables();
    await migrate(db, ours);
    assert.deepEqual(await db.introspection.getTables(), tables);
  });

  it('are refused where something that is needed was taken away, and by what', async (t) => {
    const { db } = await temporaryDatabase<Schema>(t);
    await migrate(db, { ...ours, '0003-third': nothing, '0004-fewer-needs-0003': nothing });
    await assert.rejects(migrate(db, ours), {
      name: 'StoreError',
      fault: 'bad_schema',
      message: /took away what this one needs \(0004-fewer-needs-0003\)/,
    });
  });

  it('are refused where this version has a migration that comes before theirs', async (t) => {
    const { db } = await temporaryDatabase<Schema>(t);
    await migrate(db, { ...ours, '0004-fourth': nothing });
    await assert.rejects(migrate(db, { ...ours, '0003-late': createTable('late') }), {
      fault: 'bad_schema',
      message: /0004-fourth/,
    });
  });
});

test('0004 puts pending notices into the outbox, and marks those that may have been posted', async (t) => {
  const db = await databaseBefore(t, '0003');
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
    sql`insert into campaign (workspace_id, id, author, name, route, sender_id, personal, state, run, created_at, moved_at, told_at)
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

test('0007 keeps the notices of the outbox as they were', async (t) => {
  const db = await databaseBefore(t, '0007');
  await sql`insert into outbox values ('T1', 'operation', 'o1', 'U1', 'C1', 'unconfirmed', 1, 'Sale', 3, 7)`.execute(
    db,
  );
  const all = () => db.selectFrom('outbox').selectAll().execute();
  const kept = await all();
  assert.equal(kept.length, 1);
  await migrate(db);
  assert.deepEqual(
    await all(),
    kept.map((row) => ({ ...row, lease: null, lease_until: null })),
  );
});

test('0006 makes the keys of operations the user’s own, so that an earlier form repeats nothing', async (t) => {
  const db = await databaseBefore(t, '0006');
  const key = 'sIe9rRtyzC2n0kqWbV3_aQ';
  await sql`
    insert into operation (id, workspace_id, key, kind, actor, summary, state, run, created_at)
    values ('1', 'T1', ${key}, 'sms.send', 'U1', '{}', 'underway', 'before', 0)`.execute(db);
  await migrate(db);
  const { key: own } = await db.selectFrom('operation').select('key').executeTakeFirstOrThrow();
  assert.equal(own, ownId('U1', key));
});

test('0008 renames the user of a pause and leaves no former name in the schema', async (t) => {
  const db = await databaseBefore(t, '0008');
  const campaign = (id: string, pause: string | null) =>
    sql`insert into campaign (workspace_id, id, author, name, route, sender_id, personal, state, pause, run, created_at, moved_at)
      values ('T1', ${id}, 'U1', 'Sale', 'dnd', 'Shop', 0, 'paused', ${pause}, 'old', 1, 2)`.execute(db);
  const error = { reason: 'balance', message: 'No credit.' };
  await campaign('by a person', JSON.stringify({ by: 'person', personId: 'U2' }));
  await campaign('with an error', JSON.stringify({ by: 'provider', personId: 'U2', error }));
  await campaign('by the provider', JSON.stringify({ by: 'provider', error }));
  await campaign('running', null);
  await migrate(db);
  const rows = await db.selectFrom('campaign').select(['id', 'pause']).orderBy('sequence').execute();
  assert.deepEqual(
    rows.map(({ id, pause }) => [id, pause && JSON.parse(pause)]),
    [
      ['by a person', { by: 'person', userId: 'U2' }],
      ['with an error', { by: 'provider', userId: 'U2', error }],
      ['by the provider', { by: 'provider', error }],
      ['running', null],
    ],
  );
  const { rows: schema } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master where sql is not null and name not like 'kysely%'`.execute(db);
  const former =
    /\b(?:actor|place|author|do_not_contact|steered_by|moved_at|added_by|added_at|campaign_left_out|\w+_of_actor)\b/;
  for (const { name, sql: definition } of schema) {
    assert.doesNotMatch(`${name} ${definition}`, former);
  }
});

test('0012 tells the provider’s codes by SMS from those of Switchboard', async (t) => {
  const db = await databaseBefore(t, '0012');
  const insert = (id: string, kind: string, summary: object) =>
    sql`insert into operation (id, workspace_id, key, kind, user_id, summary, state, run, created_at)
      values (${id}, 'T1', ${id}, ${kind}, 'U1', ${JSON.stringify(summary)}, 'underway', 'before', 0)`.execute(
      db,
    );
  const to = '+234803•••4567';
  await insert('1', 'otp.sms', { way: 'sms', to, minutes: 10 });
  await insert('2', 'otp.voice', { way: 'voice', to, minutes: 10 });
  await insert('3', 'sms.send', { route: 'dnd' });
  await migrate(db);
  const rows = await db.selectFrom('operation').select(['kind', 'summary']).orderBy('id').execute();
  assert.deepEqual(
    rows.map(({ kind, summary }) => [kind, JSON.parse(summary)]),
    [
      ['otp.sms_token', { way: 'sms_token', to, minutes: 10 }],
      ['otp.voice', { way: 'voice', to, minutes: 10 }],
      ['sms.send', { route: 'dnd' }],
    ],
  );
});

test('0015 keeps what people may do in the workspaces that have a provider key', async (t) => {
  const db = await databaseBefore(t, '0015');
  for (const [workspaceId, area, key] of [
    ['T1', 'settings', 'connection'],
    ['T1', 'settings', 'defaults'],
    ['T2', 'settings', 'defaults'],
    ['T3', 'drafts', 'connection'],
  ]) {
    await sql`insert into keyv (workspace_id, area, key, value) values (${workspaceId}, ${area}, ${key}, 'v1')`.execute(
      db,
    );
  }
  await migrate(db);
  const former = ['T1', 'T2', 'T3', 'T4'].map((workspaceId) =>
    createWorkspaceRoles(db, () => new Date()).read(workspaceId),
  );
  assert.deepEqual(
    (await Promise.all(former)).map(({ version, grants, keepsFormer }) => [version, grants, keepsFormer]),
    [
      [0, undefined, true],
      [0, undefined, false],
      [0, undefined, false],
      [0, undefined, false],
    ],
  );
});

test('0031 has the costs counted that were reported before, and those that a former version writes afterwards', async (t) => {
  const db = await databaseBefore(t, '0031');
  const write = (providerId: string) =>
    sql`insert into delivery (workspace_id, provider_id, hash, state, progress, status, reported_at, cost, received_at,
        source, pending)
      values ('T1', ${providerId}, 'h', 'delivered', 3, 'DELIVERED', 0, '4.25', 0, 'report', 0)`.execute(db);
  await sql`insert into operation (id, workspace_id, key, kind, user_id, summary, state, provider_id, pages, run, created_at, ended_at)
    values ('1', 'T1', 'k', 'sms.send', 'U1', '{"route":"dnd","senderId":"PalmMarket"}', 'accepted', 'm1', 1, 'before', 0, 1)`.execute(
    db,
  );
  await sql`insert into operation_number (hash, created_at, operation_id) values ('h', 0, '1')`.execute(db);
  await write('m1');
  await migrate(db);
  const costs = createCostStore(db, () => new Date(1_000));
  const count = () => costs.count(async () => () => undefined, new AbortController().signal);
  await count();
  await db.updateTable('operation').set({ provider_id: 'm2' }).execute();
  await write('m2');
  await count();
  assert.deepEqual((await costs.of('T1', 'operation', ['k'])).get('k')?.charged, [
    { country: '', amount: '8.5', messages: 2, free: 0, pages: 2 },
  ]);
});

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { StoreError } from '../../../src/store/errors.ts';
import { migrate } from '../../../src/store/migrations/migrate.ts';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import { lockTables } from '../../../src/store/postgres/lock-tables.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { untilWaiting } from '../../support/store/lock-barrier.ts';

interface Tables {
  campaign: { state: string; note: string | null };
  chunk: { state: string; note: string | null };
}

const first = {
  async up(db: Kysely<unknown>) {
    for (const table of ['campaign', 'chunk']) {
      await db.schema.createTable(table).addColumn('state', 'text').execute();
      await sql`insert into ${sql.table(table)} values ('running')`.execute(db);
    }
  },
};
const second = {
  async up(db: Kysely<unknown>) {
    for (const table of ['campaign', 'chunk']) {
      await db.schema.alterTable(table).addColumn('note', 'text').execute();
    }
  },
};

async function migratedDatabase(t: TestContext) {
  const created = await createPostgresDatabase({ empty: true });
  const { db, close } = await openPostgres<Tables>(created, { timers: systemTimers });
  t.after(async () => {
    await close();
    await created.drop();
  });
  await migrate(db, { '0001-first': first });
  return { db, setState: (state: string) => setStateOf(db, 'campaign', state) };
}

async function setStateOf(db: Kysely<Tables>, table: keyof Tables, state: string) {
  await db.updateTable(table).set({ state }).execute();
}

it('a migration and a transaction of a running instance that use the same tables the other way round both succeed', async (t) => {
  const { db } = await migratedDatabase(t);
  let migrated: Promise<void> | undefined;
  await db.transaction().execute(async (transaction) => {
    await setStateOf(transaction, 'chunk', 'claimed');
    migrated = migrate(db, { '0001-first': first, '0002-second': second });
    await untilWaiting(db, 1);
    await setStateOf(transaction, 'campaign', 'paused');
  });
  await migrated;
  assert.deepEqual(await db.selectFrom('campaign').selectAll().execute(), [{ state: 'paused', note: null }]);
  assert.deepEqual(await db.selectFrom('chunk').selectAll().execute(), [{ state: 'claimed', note: null }]);
});

it('nobody waits for a migration that waits for a backup', async (t) => {
  const { db, setState } = await migratedDatabase(t);
  let migrated: Promise<void> | undefined;
  await db.transaction().execute(async (backup) => {
    await backup.selectFrom('campaign').select('state').execute();
    migrated = migrate(db, { '0001-first': first, '0002-second': second });
    await untilWaiting(db, 1);
    await setState('paused');
    await setState('running');
    await setState('done');
  });
  await migrated;
  assert.deepEqual(await db.selectFrom('campaign').selectAll().execute(), [{ state: 'done', note: null }]);
});

it('a migration ends at last where the tables are never free', async (t) => {
  const { db } = await migratedDatabase(t);
  await db.transaction().execute(async (endless) => {
    await endless.selectFrom('chunk').select('state').execute();
    await assert.rejects(
      db.transaction().execute((transaction) => lockTables<Tables>(transaction, 2)),
      (error) =>
        error instanceof StoreError &&
        error.fault === 'locked' &&
        /Another transaction has used the tables/.test(error.message),
    );
  });
});

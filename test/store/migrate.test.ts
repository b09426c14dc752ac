import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Kysely } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newEncryptionKey } from '../support/temporary-store.ts';

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

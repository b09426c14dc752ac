import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { migrate } from '../../../src/store/engine/migrate.ts';
import type { Schema } from '../../../src/store/schema/schema.ts';
import { temporaryDatabase } from '../../support/temporary-database.ts';

const createTable = (name: string) => ({
  up: (db: Kysely<unknown>) => db.schema.createTable(name).addColumn('id', 'text').execute(),
});

test('changes nothing when run again', async (t) => {
  const { db } = await temporaryDatabase<Schema>(t);
  await migrate(db);
  const tables = await db.introspection.getTables();
  assert.notEqual(tables.length, 0);
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

test('refuses the tables of a newer version, and names its migration', async (t) => {
  const { db } = await temporaryDatabase<Schema>(t);
  const ours = { '0001-first': createTable('first') };
  await migrate(db, { ...ours, '0002-second': createTable('second') });
  const tables = await db.introspection.getTables();
  await assert.rejects(migrate(db, ours), {
    name: 'StoreError',
    fault: 'bad_schema',
    message: /A newer version .* \(0002-second\)/,
  });
  assert.deepEqual(await db.introspection.getTables(), tables);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrate, released } from '../../src/store/migrations/migrate.ts';
import { newEncryptionKey, temporaryStore } from '../support/store/temporary-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Of a release to come. */
const addition = {
  '9998-more': {
    up: async (db: Parameters<typeof migrate>[0]) => {
      await sql`create table more (id text not null primary key)`.execute(db);
      await sql`alter table operation add column more text`.execute(db);
    },
  },
};
const nothing = { up: async () => {} };

test('a store opens again, with what is in it, once a newer version has added to its tables', async (t) => {
  const options = { dataDir: temporaryFolder(t), encryptionKeys: [newEncryptionKey()] };
  const store = await temporaryStore(t, options);
  await store.keyv('T1', 'settings').set('defaults', { route: 'dnd' });
  await migrate(store.db, { ...released, ...addition });
  await store.keyv('T1', 'settings').set('more', 1);
  await store.close();

  const again = await temporaryStore(t, options);
  assert.deepEqual(await again.keyv('T1', 'settings').get('defaults'), { route: 'dnd' });
  assert.equal(await again.keyv('T1', 'settings').get('more'), 1);
  assert.equal(again.installation.takeover, undefined, 'it counts as the same data');
});

test('a store does not open once a newer version has taken away what it needs', async (t) => {
  const options = { dataDir: temporaryFolder(t), encryptionKeys: [newEncryptionKey()] };
  const store = await temporaryStore(t, options);
  await migrate(store.db, { ...released, ...addition, '9999-less-needs-9998': nothing });
  await store.close();
  await assert.rejects(temporaryStore(t, options), {
    name: 'StoreError',
    fault: 'bad_schema',
    message: /took away what this one needs/,
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { snakeCase } from '../../src/store/engine/create-tables.ts';
import { createEncryption } from '../../src/store/engine/encryption/cipher.ts';
import { encryptedColumns } from '../../src/store/schema/schema.ts';
import { forEachDatabase, onlyOn } from '../support/store/databases.ts';
import { fillTables } from '../support/store/fill-tables.ts';
import { performIn } from '../support/store/perform-in.ts';
import { rotateKeys } from '../support/store/rotate-keys.ts';
import { newEncryptionKey, temporaryStore } from '../support/store/temporary-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sent = { kind: 'sms.send', userId: 'U1', summary: {} };

const files = onlyOn('sqlite', 'it is about its files');

forEachDatabase(() => {
  test('keeps everything across a restart', async (t) => {
    const options = { dataDir: temporaryFolder(t), encryptionKeys: [newEncryptionKey()] };
    const before = await temporaryStore(t, options);
    await before.keyv('T1', 'settings').set('route', 'dnd');
    await performIn(before.ledger, { workspaceId: 'T1', key: 'k', ...sent }, async () => ({
      state: 'accepted',
    }));
    await before.close();

    const after = await temporaryStore(t, options);
    assert.equal(await after.keyv('T1', 'settings').get('route'), 'dnd');
    assert.equal((await after.ledger.find('T1', { key: 'k' }))?.state, 'accepted');
  });

  test('makes every file private', async (t) => {
    const dataDir = temporaryFolder(t);
    await temporaryStore(t, { dataDir });
    for (const file of readdirSync(dataDir)) {
      assert.equal((statSync(join(dataDir, file)).mode & 0o777).toString(8), '600', file);
    }
  });

  test('has each write on disk when the call resolves', files, async (t) => {
    const { db } = await temporaryStore(t);
    const pragma = async (name: string, column = name) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
      return rows[0]?.[column];
    };
    assert.equal(await pragma('journal_mode', 'journalMode'), 'wal');
    assert.equal(await pragma('synchronous'), 2);
    assert.equal(await pragma('foreign_keys', 'foreignKeys'), 1);
  });

  test('is ready until it is closed, and may be closed twice', async (t) => {
    const store = await temporaryStore(t);
    await store.ready();
    await store.close();
    await store.close();
    await assert.rejects(store.ready());
  });

  test('needs the key of every column with encrypted values, and re-encrypts each with another one', async (t) => {
    const dataDir = temporaryFolder(t);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    const filled = await fillTables(store);
    const found: string[] = [];
    for (const { name, columns } of await store.db.introspection.getTables()) {
      for (const column of filled.includes(name) ? columns : []) {
        const { rows } = await sql`
        select 1 from ${sql.table(name)} where cast(${sql.ref(column.name)} as text) like 'v1.%' limit 1`.execute(
          store.db,
        );
        found.push(...rows.map(() => `${name}.${column.name}`));
      }
    }
    assert.deepEqual(
      found.sort(),
      encryptedColumns.map(({ table, column }) => `${snakeCase(table)}.${snakeCase(column)}`).sort(),
    );
    await store.close();
    await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [fresh] }), (error: Error) =>
      encryptedColumns.every(({ table }) => new RegExp(`\\b${snakeCase(table)} \\d`).test(error.message)),
    );
    assert.equal((await rotateKeys({ dataDir, encryptionKeys: [fresh, old] })).name, 'removable');
    await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
  });

  test('removes deleted data from the files', files, async (t) => {
    const dataDir = temporaryFolder(t);
    const store = await temporaryStore(t, { dataDir });
    const files = () => readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'latin1'));
    const intent = { workspaceId: 'T1', key: 'of the forgotten one', ...sent, summary: {} };
    await performIn(store.ledger, intent, async () => ({ state: 'accepted' }));
    assert.ok(files().some((content) => content.includes('forgotten one')));
    await store.forget('T1');
    await store.close();
    assert.ok(!files().some((content) => content.includes('forgotten one')));
  });

  test('refuses to open data without its key, naming both keys by their ids', async (t) => {
    const dataDir = temporaryFolder(t);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    await store.keyv('T1', 'settings').set('route', 'dnd');
    await store.close();

    const idOf = (key: typeof old) => createEncryption([key]).currentKeyId;
    await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [fresh] }), {
      name: 'StoreError',
      fault: 'missing_key',
      message: new RegExp(
        `Encryption key ${idOf(old)} is missing, .* ENCRYPTION_KEYS holds ${idOf(fresh)}\\.`,
      ),
    });
    const both = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old] });
    assert.equal(await both.keyv('T1', 'settings').get('route'), 'dnd');
  });

  test('opens without a key that encrypted nothing', async (t) => {
    const dataDir = temporaryFolder(t);
    const mistaken = await temporaryStore(t, { dataDir });
    await mistaken.close();
    await temporaryStore(t, { dataDir });
  });

  test('refuses a file that is not a database, naming it, and releases the folder', files, async (t) => {
    const dataDir = temporaryFolder(t);
    const file = join(dataDir, 'switchboard.db');
    writeFileSync(file, 'Once upon a time there was no database here.'.repeat(50));
    const refusal = {
      name: 'StoreError',
      fault: 'bad_folder',
      message: new RegExp(`${file} cannot be opened`),
    };
    await assert.rejects(temporaryStore(t, { dataDir }), refusal);
    await assert.rejects(temporaryStore(t, { dataDir }), refusal);
  });
});

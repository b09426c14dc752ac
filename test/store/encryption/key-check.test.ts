import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Secret } from '../../../src/lib/secret.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
const idOf = (key: Secret) => createEncryption([key]).currentKeyId;

/** A folder with a value under each of the keys. */
async function folderUnder(t: TestContext, ...keys: Secret[]): Promise<string> {
  const dataDir = temporaryFolder(t);
  for (const key of keys) {
    const encryptionKeys = [key, ...keys.filter((each) => each !== key)];
    const store = await temporaryStore(t, { dataDir, encryptionKeys });
    await store.keyv('T1', 'settings').set(idOf(key), 'hush-hush');
    await store.close();
  }
  return dataDir;
}

/** Opens the folder, and asserts that every value is still there. */
async function assertReadable(t: TestContext, dataDir: string, opened: Secret[], written: Secret[]) {
  const store = await temporaryStore(t, { dataDir, encryptionKeys: opened });
  for (const key of written) {
    assert.equal(await store.keyv('T1', 'settings').get(idOf(key)), 'hush-hush');
  }
  await store.close();
}

forEachDatabase(() => {
  describe('a start with the wrong keys', () => {
    it('is refused where any value lies under a key that is missing, and changes nothing', async (t) => {
      for (const { written, given, missing } of [
        { written: [old], given: [fresh], missing: [old] },
        { written: [old, fresh], given: [fresh], missing: [old] },
        { written: [old, fresh], given: [old], missing: [fresh] },
        { written: [old, fresh], given: [newEncryptionKey()], missing: [old, fresh] },
      ]) {
        const dataDir = await folderUnder(t, ...written);
        for (const _ of ['the first time', 'again']) {
          await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: given }), (error: Error) => {
            assert.equal('fault' in error && error.fault, 'missing_key');
            for (const key of [old, fresh]) {
              const named = `Encryption key ${idOf(key)} is missing, and 1 stored value is encrypted with it (keyv 1).`;
              assert.equal(error.message.includes(named), missing.includes(key), error.message);
              assert.ok(!error.message.includes(key.reveal()));
            }
            assert.match(error.message, /Put the missing key back, after the first\. Home tells admins/);
            return true;
          });
        }
        await assertReadable(t, dataDir, written, written);
      }
    });

    it('is not refused for the order of the keys, the first of which encrypts', async (t) => {
      const dataDir = await folderUnder(t, old, fresh);
      await assertReadable(t, dataDir, [old, fresh], [old, fresh]);
      await assertReadable(t, dataDir, [fresh, old], [old, fresh]);
    });

    it('is refused for a key that is cut short, is no base64 or is missing, before anything is opened', async (t) => {
      const dataDir = await folderUnder(t, old);
      const text = old.reveal();
      for (const key of [text.slice(0, -4), text.slice(1), 'secret', '']) {
        const encryptionKeys = [new Secret(key)];
        await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys }), {
          fault: 'bad_key',
          message: /instead of 32\. Correct ENCRYPTION_KEYS; a new key is made by: openssl rand -base64 32$/,
        });
        await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [old, new Secret(key)] }), {
          fault: 'bad_key',
        });
      }
      await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [] }), {
        fault: 'bad_key',
        message: 'There is no encryption key. Set ENCRYPTION_KEYS.',
      });
      await assertReadable(t, dataDir, [old], [old]);
    });

    it('is refused where the check value of its key is damaged', async (t) => {
      const dataDir = await folderUnder(t, old);
      const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
      await store.db.updateTable('encryptionKey').set({ canary: 'v1.damaged' }).execute();
      await store.close();
      await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [old] }), {
        fault: 'unreadable',
        message: new RegExp(`check value of encryption key ${idOf(old)} is damaged.*backup`),
      });
    });

    it('is refused for a value under another key, even where nothing else says that the key was used', async (t) => {
      const dataDir = await folderUnder(t, old);
      const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
      await store.db.deleteFrom('encryptionKey').execute();
      await store.close();
      const wrong = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
      await assert.rejects(wrong.keyv('T1', 'settings').get(idOf(old)), { fault: 'missing_key' });
      await wrong.close();
      await assertReadable(t, dataDir, [old, fresh], [old]);
    });

    it('begins with any key where nothing was ever encrypted', async (t) => {
      const dataDir = temporaryFolder(t);
      await (await temporaryStore(t, { dataDir, encryptionKeys: [old] })).close();
      await (await temporaryStore(t, { dataDir, encryptionKeys: [fresh] })).close();
      await (await temporaryStore(t, { dataDir, encryptionKeys: [old] })).close();
    });
  });
});

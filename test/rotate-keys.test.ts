import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Secret } from '../src/lib/secret.ts';
import { newEncryptionKey, temporaryStore } from './support/store/temporary-store.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const script = join(import.meta.dirname, '../src/rotate-keys.ts');

/** Runs the script as `npm run rotate-keys` does. */
async function rotate(dataDir: string, keys: Secret[]) {
  const env = {
    PROVIDER_BASE_URL: 'https://provider.example',
    SLACK_BOT_TOKEN: 'xoxb-not-a-token',
    SLACK_APP_TOKEN: 'xapp-not-a-token',
    ENCRYPTION_KEYS: keys.map((key) => key.reveal()).join(','),
    DATA_DIR: dataDir,
  };
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, [script], { env }).then(
    (output) => ({ ...output, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
  const said = stdout + stderr;
  for (const key of keys) {
    assert.ok(!said.includes(key.reveal()), 'a key was printed');
  }
  return { said, code };
}

test('prints what it did and that the old key can be dropped', async (t) => {
  const dataDir = temporaryFolder(t);
  const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
  await store.keyv('T1', 'secrets').set('provider', 'hush-hush');

  const refused = await rotate(dataDir, [fresh, old]);
  assert.equal(refused.code, 1);
  assert.match(
    refused.said,
    new RegExp(`^The data folder ${dataDir} is in use by process ${process.pid} [^\\n]*\\n$`),
  );

  await store.close();
  const done = await rotate(dataDir, [fresh, old]);
  assert.equal(done.code, 0, done.said);
  assert.match(done.said, /re-encrypted .*: 1\n.*can be dropped/);
  assert.doesNotMatch(done.said, /hush/);
  const after = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
  assert.equal(await after.keyv('T1', 'secrets').get('provider'), 'hush-hush');
});

test('names the area of an unreadable value, and fails', async (t) => {
  const dataDir = temporaryFolder(t);
  const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
  await store.keyv('T1', 'secrets').set('provider', 'hush-hush');
  await store.db.updateTable('keyv').set({ workspace_id: 'T2' }).execute();
  await store.close();
  const { code, said } = await rotate(dataDir, [fresh, old]);
  assert.equal(code, 1);
  assert.match(said, /workspace T2 in "secrets" cannot be read.*left as it is/);
  assert.doesNotMatch(said, /can be dropped/);
});

test('names the settings that are missing', async () => {
  const { code, said } = await rotate('', []);
  assert.equal(code, 1);
  assert.match(said, /ENCRYPTION_KEYS/);
  assert.doesNotMatch(said, /\n {4}at /);
});

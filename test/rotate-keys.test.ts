import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Secret } from '../src/lib/secret.ts';
import { createEncryption } from '../src/store/encryption/cipher.ts';
import { startTestApp } from './support/app/test-app.ts';
import { newEncryptionKey, temporaryStore } from './support/store/temporary-store.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const script = join(import.meta.dirname, '../src/programs/rotate-keys.ts');

/** Runs the script as `npm run rotate-keys` does, in a process of its own. */
async function rotate(dataDir: string, keys: Secret[]) {
  const env = {
    PROVIDER_BASE_URL: 'https://provider.example',
    SLACK_BOT_TOKEN: 'xoxb-not-a-token',
    SLACK_APP_TOKEN: 'xapp-not-a-token',
    ENCRYPTION_KEYS: settingOf(keys),
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

const settingOf = (keys: Secret[]) => keys.map((key) => key.reveal()).join(',');
const idOf = (key: Secret) => createEncryption([key]).currentKeyId;

describe('npm run rotate-keys', () => {
  it('asks the program that runs, and says what lies under which key, and that the old one can go', async (t) => {
    const dataDir = temporaryFolder(t);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const before = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    await before.keyv('T1', 'secrets').set('provider', 'hush-hush');
    await before.close();

    const { stopApp } = await startTestApp(t, { dataDir, env: { ENCRYPTION_KEYS: settingOf([fresh, old]) } });
    const done = await rotate(dataDir, [fresh, old]);
    assert.equal(done.code, 0, done.said);
    const lines = done.said.split('\n');
    assert.match(lines[0] ?? '', /^Values re-encrypted .*: 1$/);
    assert.match(lines[1] ?? '', new RegExp(`^Under key ${idOf(fresh)}, the first: \\d$`));
    assert.match(
      lines[2] ?? '',
      new RegExp(`^Nothing lies under ${idOf(old)} any more: remove what follows`),
    );
    assert.doesNotMatch(done.said, /hush/);

    await stopApp();
    const after = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
    assert.equal(await after.keyv('T1', 'secrets').get('provider'), 'hush-hush');
    const audit = await after.db.selectFrom('audit_entry').selectAll().execute();
    assert.deepEqual(
      audit.map(({ workspace_id, action, subject, outcome, surface }) => [
        workspace_id,
        action,
        subject,
        outcome,
        surface,
      ]),
      [['*', 'keys.rotate', idOf(fresh), 'done', 'terminal']],
    );
  });

  it('refuses other keys than those of the program that runs, and another first one', async (t) => {
    const dataDir = temporaryFolder(t);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    await startTestApp(t, { dataDir, env: { ENCRYPTION_KEYS: settingOf([old, fresh]) } });
    for (const keys of [[fresh, old], [fresh], [old], [old, fresh, newEncryptionKey()]]) {
      const { code, said } = await rotate(dataDir, keys);
      assert.equal(code, 1);
      const there = `${idOf(old)}, ${idOf(fresh)} there, ${keys.map(idOf).join(', ')} here`;
      assert.match(said, new RegExp(`other encryption keys .*: ${there}.*restart the program.*\\n$`));
    }
  });

  it('does it alone where no program runs, but not while another process has the data', async (t) => {
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
    assert.match(done.said, /re-encrypted .*: 1\n/);
    assert.equal((await rotate(dataDir, [fresh])).said.split('\n')[2], 'Nothing lies under any other key.');
    const after = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
    assert.equal(await after.keyv('T1', 'secrets').get('provider'), 'hush-hush');
  });

  it('names the area of an unreadable value, and fails', async (t) => {
    const dataDir = temporaryFolder(t);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    await store.keyv('T1', 'secrets').set('provider', 'hush-hush');
    await store.db.updateTable('keyv').set({ workspace_id: 'T2' }).execute();
    await store.close();
    const { code, said } = await rotate(dataDir, [fresh, old]);
    assert.equal(code, 1);
    assert.match(said, new RegExp(`Under key ${idOf(old)}: 1, which cannot be read`));
    assert.match(said, /workspace T2 in "secrets" cannot be read.*left as it is/);
    assert.doesNotMatch(said, /any more/);
  });

  it('names the settings that are missing', async () => {
    const { code, said } = await rotate('', []);
    assert.equal(code, 1);
    assert.match(said, /ENCRYPTION_KEYS/);
    assert.doesNotMatch(said, /\n {4}at /);
  });
});

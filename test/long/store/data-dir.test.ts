import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type RunningProcess, startScript } from '../../support/app/app-process.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Starts another process on the folder. */
async function otherProcess(
  t: TestContext,
  dataDir: string,
  encryptionKey = newEncryptionKey(),
  ...key: string[]
): Promise<RunningProcess> {
  const script = join(import.meta.dirname, 'opening-process.ts');
  const postgres = await postgresOf(t, dataDir);
  const env = { ...process.env, ...(postgres && { DATABASE_URL: postgres.url.reveal() }) };
  return startScript(t, [script, dataDir, encryptionKey.reveal(), ...key], { env });
}

forEachDatabase(() => {
  test('refuses a folder in use, naming the process and the remedy', async (t) => {
    const dataDir = temporaryFolder(t);
    const child = await otherProcess(t, dataDir);
    await child.says('open');
    await assert.rejects(temporaryStore(t, { dataDir }), {
      name: 'StoreError',
      fault: 'in_use',
      message: new RegExp(`${dataDir} is in use by process ${child.pid} on .*Stop that process first`),
    });
  });

  test('refuses another process while this one has the folder, even after this one opened it twice', async (t) => {
    const dataDir = temporaryFolder(t);
    await temporaryStore(t, { dataDir });
    await assert.rejects(temporaryStore(t, { dataDir }), { fault: 'in_use' });
    const child = await otherProcess(t, dataDir);
    await child.says(`is in use by process ${process.pid} `);
  });

  test('opens after a process was killed, and ends its operation in progress as unconfirmed', async (t) => {
    const dataDir = temporaryFolder(t);
    const key = newEncryptionKey();
    const child = await otherProcess(t, dataDir, key, 'click-1');
    await child.says('underway');
    assert.equal((await child.kill()).signal, 'SIGKILL');

    const store = await temporaryStore(t, { dataDir, encryptionKeys: [key] });
    assert.equal((await store.ledger.find('T0', { key: 'click-1' }))?.state, 'underway');
    // On PostgreSQL, once its heartbeats are missed.
    await store.db.deleteFrom('instance').where('run', '<>', store.instances.run()).execute();
    assert.equal(await store.ledger.recover(new Date()), 1);
    const operation = await store.ledger.find('T0', { key: 'click-1' });
    assert.equal(operation?.state, 'unconfirmed');
    assert.equal(operation?.error?.reason, 'stopped_midway');
  });

  test('frees a folder when the store is closed', async (t) => {
    const dataDir = temporaryFolder(t);
    const encryptionKeys = [newEncryptionKey()];
    const store = await temporaryStore(t, { dataDir, encryptionKeys });
    await store.close();
    const child = await otherProcess(t, dataDir, encryptionKeys[0]);
    await child.says('open');
  });
});

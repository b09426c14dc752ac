import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { lockDataDir } from '../../../src/store/data-dir/lock.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Starts another process on the folder and waits for what it has to say. */
async function otherProcess(
  t: TestContext,
  dataDir: string,
  encryptionKey = newEncryptionKey(),
  ...key: string[]
): Promise<{ child: ChildProcess; said: unknown }> {
  const script = join(import.meta.dirname, 'other-process.ts');
  const child = fork(script, [dataDir, encryptionKey.reveal(), ...key]);
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child, 'message');
  return { child, said };
}

test('a folder that another process uses is refused, naming the process and what to do', async (t) => {
  const dataDir = temporaryFolder(t);
  const { child } = await otherProcess(t, dataDir);
  await assert.rejects(temporaryStore(t, { dataDir }), {
    name: 'StoreError',
    fault: 'in_use',
    message: new RegExp(`${dataDir} is in use by process ${child.pid} on .*Stop that process first`),
  });
});

test('another process is refused while this one has the folder, even after this one asked for it again', async (t) => {
  const dataDir = temporaryFolder(t);
  await temporaryStore(t, { dataDir });
  await assert.rejects(temporaryStore(t, { dataDir }), { fault: 'in_use' });
  const { said } = await otherProcess(t, dataDir);
  assert.match(String(said), new RegExp(`is in use by process ${process.pid} `));
});

test('a process that was killed is no obstacle, and what it left underway is unconfirmed', async (t) => {
  const dataDir = temporaryFolder(t);
  const key = newEncryptionKey();
  const { child, said } = await otherProcess(t, dataDir, key, 'click-1');
  assert.equal(said, 'underway');
  child.kill('SIGKILL');
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');

  const store = await temporaryStore(t, { dataDir, encryptionKeys: [key] });
  assert.equal((await store.ledger.find('T0', { key: 'click-1' }))?.state, 'underway');
  assert.equal(await store.ledger.recover(new Date()), 1);
  const operation = await store.ledger.find('T0', { key: 'click-1' });
  assert.equal(operation?.state, 'unconfirmed');
  assert.equal(operation?.error?.reason, 'stopped_midway');
});

test('a process that has by now the number of a dead one is no obstacle', async (t) => {
  const dataDir = temporaryFolder(t);
  writeFileSync(
    join(dataDir, 'lock.json'),
    JSON.stringify({ pid: process.ppid, host: 'here', since: 'then' }),
  );
  await temporaryStore(t, { dataDir });
});

test('a holder that has not said who it is is refused all the same', (t) => {
  const folder = temporaryFolder(t);
  const lock = lockDataDir(folder);
  t.after(() => lock.release());
  writeFileSync(join(folder, 'lock.json'), '');
  assert.throws(() => lockDataDir(folder), { fault: 'in_use', message: /in use by another process/ });
});

test('a folder is free again once it was closed', async (t) => {
  const dataDir = temporaryFolder(t);
  const encryptionKeys = [newEncryptionKey()];
  const store = await temporaryStore(t, { dataDir, encryptionKeys });
  await store.close();
  const { said } = await otherProcess(t, dataDir, encryptionKeys[0]);
  assert.equal(said, 'open');
});

test('a folder that cannot be locked is refused by its name', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'lock.db'));
  assert.throws(() => lockDataDir(folder), {
    name: 'StoreError',
    fault: 'bad_folder',
    message: new RegExp(`${folder} cannot be locked`),
  });
});

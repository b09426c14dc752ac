import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Secret } from '../../src/lib/secret.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { createEncryption } from '../../src/store/engine/encryption/cipher.ts';
import { countValues } from '../../src/store/engine/encryption/encrypted-column.ts';
import { encryptedColumns } from '../../src/store/schema/schema.ts';
import { manyNumbers } from '../support/slack/number-files.ts';
import { forEachDatabase } from '../support/store/databases.ts';
import { rotateKeys } from '../support/store/rotate-keys.ts';
import { readyCampaign, recipient } from '../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../support/store/temporary-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];

const idOf = (key: Secret) => createEncryption([key]).currentKeyId;

/** A folder with values of several workspaces and areas, all under one key. */
async function folderUnder(t: TestContext, key: Secret, values: number): Promise<string> {
  const dataDir = temporaryFolder(t);
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [key] });
  for (let number = 0; number < values; number += 1) {
    await store.keyv(`T${number % 3}`, `area ${number % 2}`).set(`key ${number}`, number, 600_000);
  }
  await store.close();
  return dataDir;
}

async function valuesIn(t: TestContext, dataDir: string, encryptionKeys: Secret[], values: number) {
  const store = await temporaryStore(t, { dataDir, encryptionKeys });
  const read: unknown[] = [];
  for (let number = 0; number < values; number += 1) {
    read.push(await store.keyv(`T${number % 3}`, `area ${number % 2}`).get(`key ${number}`));
  }
  await store.close();
  return read;
}

forEachDatabase(() => {
  test('reads everything under the new key alone after a rotation', async (t) => {
    const values = 203;
    const dataDir = await folderUnder(t, old, values);
    const state = await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
    assert.deepEqual(state, { name: 'removable', keyIds: [idOf(old)] });
    assert.deepEqual(await valuesIn(t, dataDir, [fresh], values), [...Array(values).keys()]);
    await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [old] }), { fault: 'missing_key' });
    assert.deepEqual(await rotateKeys({ dataDir, encryptionKeys: [fresh, old] }), state, 'again');
    assert.deepEqual(await rotateKeys({ dataDir, encryptionKeys: [fresh] }), { name: 'current' });
  });

  test('leaves an unreadable value unchanged, says so, and still needs the old key', async (t) => {
    const dataDir = await folderUnder(t, old, 4);
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    await store.db.updateTable('keyv').set({ key: 'moved' }).where('key', '=', 'key 2').execute();
    await store.close();

    const state = await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
    assert.deepEqual(state, { name: 'unreadable', values: 1 });
    await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [fresh] }), { fault: 'missing_key' });

    const repaired = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old] });
    await repaired.db.updateTable('keyv').set({ key: 'key 2' }).where('key', '=', 'moved').execute();
    await repaired.close();
    assert.equal((await rotateKeys({ dataDir, encryptionKeys: [fresh, old] })).name, 'removable');
    assert.deepEqual(await valuesIn(t, dataDir, [fresh], 4), [0, 1, 2, 3]);
  });

  test('tries an unreadable value again after an hour', async (t) => {
    const dataDir = await folderUnder(t, old, 2);
    let now = 0;
    const timers = { ...systemTimers, elapsed: () => now };
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old], timers });
    const move = (from: string, to: string) =>
      store.db.updateTable('keyv').set({ key: to }).where('key', '=', from).execute();
    const rotate = async () => {
      await store.keyRotation.rotate(new AbortController().signal);
      return (await store.keyRotation.state()).name;
    };
    await move('key 1', 'moved');
    assert.equal(await rotate(), 'unreadable');
    await move('moved', 'key 1');
    now = 59 * 60_000;
    assert.equal(await rotate(), 'unreadable');
    now = 60 * 60_000;
    assert.equal(await rotate(), 'removable');
  });

  test('re-encrypts nothing back with a key that was replaced', async (t) => {
    const dataDir = await folderUnder(t, old, 3);
    assert.equal((await rotateKeys({ dataDir, encryptionKeys: [fresh, old] })).name, 'removable');
    const back = await temporaryStore(t, { dataDir, encryptionKeys: [old, fresh] });
    await back.keyv('T0', 'area 0').set('key 0', 0, 600_000);
    await back.keyRotation.rotate(new AbortController().signal);
    assert.deepEqual(await back.keyRotation.state(), { name: 'superseded', by: idOf(fresh) });
    assert.equal((await countValues(back.db, encryptedColumns)).get(idOf(fresh))?.get('keyv'), 2);
    await back.close();
    assert.equal((await rotateKeys({ dataDir, encryptionKeys: [fresh, old] })).name, 'removable');
    assert.deepEqual(await valuesIn(t, dataDir, [fresh], 3), [0, 1, 2]);
  });

  test('takes back the first key where nothing was encrypted with the next', async (t) => {
    const dataDir = await folderUnder(t, old, 3);
    await (await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old] })).close();
    const back = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    assert.deepEqual(await back.keyRotation.state(), { name: 'current' });
    await back.close();
    assert.equal((await rotateKeys({ dataDir, encryptionKeys: [fresh, old] })).name, 'removable');
  });

  test('refuses to rotate without the old key, and data that another process has', async (t) => {
    const dataDir = await folderUnder(t, old, 1);
    await assert.rejects(rotateKeys({ dataDir, encryptionKeys: [fresh] }), {
      fault: 'missing_key',
      message: new RegExp(createEncryption([old]).currentKeyId),
    });
    await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    await assert.rejects(rotateKeys({ dataDir, encryptionKeys: [fresh, old] }), { fault: 'in_use' });
  });

  test('rotates more chunks than one batch', async (t) => {
    const dataDir = temporaryFolder(t);
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    const rows = manyNumbers(203).map((number) => recipient(number, { text: `Hello ${number}` }));
    await readyCampaign(store, rows, { personal: true });
    await store.close();
    await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
    const rotated = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
    const chunks = await Array.fromAsync(rotated.campaigns.chunks('T1', 'sale', ['waiting']));
    assert.deepEqual(
      chunks.map(({ to, text }) => [...to, text]),
      manyNumbers(203).map((number) => [number, `Hello ${number}`]),
    );
  });
});

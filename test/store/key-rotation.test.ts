import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Secret } from '../../src/lib/secret.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { encryptedColumns } from '../../src/store/encrypted-columns.ts';
import { createEncryption } from '../../src/store/encryption/cipher.ts';
import { countValues } from '../../src/store/encryption/encrypted-column.ts';
import type { Store } from '../../src/store/store.ts';
import { manyNumbers } from '../support/slack/number-files.ts';
import { forEachDatabase } from '../support/store/databases.ts';
import { rotateKeys } from '../support/store/rotate-keys.ts';
import { newApproval } from '../support/store/stored-approvals.ts';
import { newCampaign, readyCampaign, recipient } from '../support/store/stored-campaigns.ts';
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
    const values = 1_203;
    const dataDir = await folderUnder(t, old, values);
    const state = await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
    assert.deepEqual(state, { name: 'removable', keyIds: [idOf(old)] });
    assert.deepEqual(await valuesIn(t, dataDir, [fresh], values), [...Array(values).keys()]);
    await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [old] }), { fault: 'missing_key' });
  });

  test('has nothing to do the second time', async (t) => {
    const dataDir = await folderUnder(t, old, 3);
    for (const _ of ['the first time', 'again']) {
      const state = await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
      assert.deepEqual(state, { name: 'removable', keyIds: [idOf(old)] });
    }
    assert.deepEqual(await rotateKeys({ dataDir, encryptionKeys: [fresh] }), { name: 'current' });
  });

  test('continues a rotation that was cut off', async (t) => {
    const dataDir = await folderUnder(t, old, 4);
    const half = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old] });
    await half.keyv('T0', 'area 0').set('key 0', 0, 600_000);
    await half.close();
    await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
    assert.deepEqual(await valuesIn(t, dataDir, [fresh], 4), [0, 1, 2, 3]);
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

  test('rotates campaigns, suppression lists and the search by number', async (t) => {
    const dataDir = temporaryFolder(t);
    const number = '+2348031234567';
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    await store.suppressionList.add('T1', ['+2348039999999'], 'U1');
    const { token } = await store.reportAddresses.create('T1', 'U1');
    const reply = {
      number,
      notify: { userId: 'U1', channelId: 'C1' },
      identity: 'one',
      text: 'Is it ready?',
    };
    await store.replies.take({ workspaceId: 'T1', ...reply });
    const invalid = {
      kind: 'invalid',
      line: 2,
      text: 'n/a',
      reason: 'no number',
      problem: 'no_number',
    } as const;
    const columns = ['Phone', 'Name'];
    await readyCampaign(store, [recipient(number, { cells: [number, 'Ada'] }), invalid], { columns });
    const { approval } = await store.approvals.request(newApproval());
    await store.approvals.end(approval, { state: 'rejected', by: 'U2', reason: 'Too early' });
    await store.close();

    const both = [fresh, old];
    assert.equal((await rotateKeys({ dataDir, encryptionKeys: both })).name, 'removable');
    const rotated = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
    assert.deepEqual([...(await countValues(rotated.db, encryptedColumns)).keys()], [idOf(fresh)]);
    assert.equal((await rotated.campaigns.find('T1', 'sale'))?.text, 'Everything must go');
    await rotated.campaigns.move('T1', 'sale', ['ready'], 'running');
    const [chunk] = await Array.fromAsync(rotated.campaigns.chunks('T1', 'sale', ['waiting']));
    assert.deepEqual([chunk?.to, chunk?.cells], [[number], [[number, 'Ada']]]);
    assert.deepEqual((await rotated.campaigns.find('T1', 'sale'))?.columns, columns);
    const decided = await rotated.approvals.find('T1', approval.id);
    assert.deepEqual([decided?.content, decided?.reason], ['{}', 'Too early']);
    const leftOut = await Array.fromAsync(rotated.campaigns.rejectedRows('T1', 'sale'));
    assert.deepEqual(leftOut, [{ line: 2, text: 'n/a', reason: 'no number', problem: 'no_number' }]);
    assert.equal((await rotated.suppressionList.among('T1', ['+2348039999999'])).length, 1);
    assert.equal((await rotated.reportAddresses.find('T1'))?.token, token);
    const [inbound] = await rotated.db.selectFrom('inbound_message').select(['id', 'thread_id']).execute();
    assert.equal((await rotated.replies.message('T1', inbound?.id ?? ''))?.text, 'Is it ready?');
    assert.equal((await rotated.replies.find('T1', inbound?.thread_id ?? ''))?.number, number);
    const [listed] = await rotated.suppressionList.list({ workspaceId: 'T1', limit: 1 });
    assert.equal(listed?.number, '+2348039999999');
    const { campaigns } = await rotated.phoneIndex.find('T1', number, { limit: 1 });
    assert.equal(campaigns[0]?.id, 'sale');
  });

  test('still needs a key that any campaign, list or search is encrypted under', async (t) => {
    const writings: ((store: Store) => Promise<unknown>)[] = [
      ({ campaigns }) => campaigns.begin(newCampaign()),
      ({ suppressionList }) => suppressionList.add('T1', ['+2348039999999'], 'U1'),
      ({ phoneIndex }) => phoneIndex.find('T1', '+2348039999999', { limit: 1 }),
    ];
    for (const write of writings) {
      const dataDir = temporaryFolder(t);
      const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
      await write(store);
      await store.close();
      await assert.rejects(temporaryStore(t, { dataDir, encryptionKeys: [fresh] }), { fault: 'missing_key' });
    }
  });

  test('rotates more chunks than one batch', async (t) => {
    const dataDir = temporaryFolder(t);
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    const rows = manyNumbers(1_203).map((number) => recipient(number, { text: `Hello ${number}` }));
    await readyCampaign(store, rows, { personal: true });
    await store.close();
    await rotateKeys({ dataDir, encryptionKeys: [fresh, old] });
    const rotated = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
    const chunks = await Array.fromAsync(rotated.campaigns.chunks('T1', 'sale', ['waiting']));
    assert.deepEqual(
      chunks.map(({ to, text }) => [...to, text]),
      manyNumbers(1_203).map((number) => [number, `Hello ${number}`]),
    );
  });
});

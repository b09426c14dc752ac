import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Secret } from '../../../src/lib/secret.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import type { Store } from '../../../src/store/store.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const numbers = manyNumbers(1_500);
const { signal } = new AbortController();
const sale = { workspaceId: 'T1', id: 'sale' };

it('the key changes on three instances, restarted one after the other, while they write and send', async (t) => {
  const postgres = await postgresOf(t, temporaryFolder(t), 'postgres');
  const open = (keys: readonly Secret[]) => temporaryStore(t, { postgres, encryptionKeys: [...keys] });
  const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
  const instances: Store[] = [await open([old]), await open([old]), await open([old])];
  let written = 0;

  /** Each writes a value, and each reads what every other has written. */
  async function assertShared(): Promise<void> {
    for (const writer of instances) {
      written += 1;
      await writer.keyv('T1', 'live').set(`key ${written}`, written);
      for (const reader of instances) {
        assert.equal(await reader.keyv('T1', 'live').get(`key ${written}`), written);
      }
    }
  }

  async function restartAll(keys: readonly Secret[]): Promise<void> {
    for (const [index, before] of instances.entries()) {
      await before.close();
      instances[index] = await open(keys);
      await assertShared();
    }
  }

  async function restartFirst(keys: readonly Secret[]): Promise<void> {
    await instances[0]?.close();
    instances[0] = await open(keys);
    await assertShared();
  }

  await assertShared();
  await restartAll([old, fresh]);
  // The first of them has the new key first, and the last the old one: neither re-encrypts what the other writes.
  await restartFirst([fresh, old]);
  for (const instance of instances) {
    await instance.keyRotation.rotate(signal);
  }
  assert.deepEqual(await Promise.all(instances.map(({ keyRotation }) => keyRotation.state())), [
    { name: 'waiting' },
    ...Array(2).fill({ name: 'superseded', by: createEncryption([fresh]).currentKeyId }),
  ]);
  await restartAll([fresh, old]);

  const [rotating = assert.fail(), sending = assert.fail(), writing = assert.fail()] = instances;
  await runningCampaign(
    sending,
    numbers.map((number) => recipient(number)),
  );
  let isRotated = false;
  const rotation = Promise.all(
    [rotating, writing].map(({ keyRotation }) => keyRotation.rotate(signal)),
  ).finally(() => {
    isRotated = true;
  });
  async function write(): Promise<void> {
    while (!isRotated) {
      written += 1;
      await writing.keyv('T1', 'live').set(`key ${written}`, written);
    }
  }
  const [, digits] = await Promise.all([rotation, sendAll(sending), write()]);
  for (const { keyRotation } of instances) {
    assert.equal((await keyRotation.state()).name, 'removable');
  }
  assert.deepEqual(
    digits.toSorted(),
    numbers.map((number) => number.slice(1)),
  );

  await restartAll([fresh]);
  for (let key = 1; key <= written; key += 1) {
    assert.equal(await instances[0]?.keyv('T1', 'live').get(`key ${key}`), key);
  }
  const sent = await Array.fromAsync(
    (instances[0] ?? assert.fail()).campaigns.chunks('T1', 'sale', ['accepted']),
  );
  assert.equal(sent.flatMap(({ to }) => to).length, numbers.length);
});

it('an old key is still needed that another instance began to use while values were re-encrypted', async (t) => {
  const postgres = await postgresOf(t, temporaryFolder(t), 'postgres');
  const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
  const open = (keys: readonly Secret[], timers = systemTimers) =>
    temporaryStore(t, { postgres, encryptionKeys: [...keys], timers });
  const before = await open([old]);
  await before.keyv('T1', 'area').set('first', 1);
  await before.close();

  let hasStarted = false;
  const rotating = await open([fresh, old], {
    ...systemTimers,
    async sleep(ms, stop) {
      // The pause after the first transaction.
      if (ms > 20 || hasStarted) {
        return systemTimers.sleep(ms, stop);
      }
      hasStarted = true;
      const late = await open([old, fresh]);
      await late.keyv('T1', 'area').set('first', 2);
      await late.close();
    },
  });
  await rotating.keyRotation.rotate(signal);
  assert.equal((await rotating.keyRotation.state()).name, 'reencrypting');
  await rotating.keyRotation.rotate(signal);
  assert.equal((await rotating.keyRotation.state()).name, 'removable');
  await rotating.close();
  assert.equal(await (await open([fresh])).keyv('T1', 'area').get('first'), 2);
});

/** Returns the digits of everybody that was claimed. */
async function sendAll(store: Store): Promise<string[]> {
  const digits: string[] = [];
  let endings: { number: number; state: 'accepted' }[] = [];
  do {
    const { claimed = [] } = (await settleAndClaim(store, sale, endings, 2)) ?? {};
    digits.push(...claimed.flatMap((chunk) => chunk.digits));
    endings = claimed.map(({ number }) => ({ number, state: 'accepted' }));
    // A turn claims nothing where the campaign was re-encrypted in its midst.
  } while ((await store.campaigns.find('T1', 'sale'))?.state !== 'done');
  return digits;
}

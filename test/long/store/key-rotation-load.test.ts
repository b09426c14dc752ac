import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemTimers, type Timers } from '../../../src/lib/time/timers.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { reencrypt } from '../../../src/store/installation/key-rotation.ts';
import { encryptedColumn } from '../../../src/store/schema/schema.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { signal } = new AbortController();

forEachDatabase(() => {
  it('rotates while a campaign is sent, whose claims are read with either key', async (t) => {
    const dataDir = temporaryFolder(t);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const before = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    await runningCampaign(
      before,
      manyNumbers(3_000).map((number) => recipient(number)),
    );
    await before.close();

    const store = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old] });
    const rotation = store.keyRotation.rotate(signal);
    const digits: string[] = [];
    let endings: { number: number; state: 'accepted' }[] = [];
    do {
      const { claimed = [] } =
        (await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, endings, 2)) ?? {};
      digits.push(...claimed.flatMap((chunk) => chunk.digits));
      endings = claimed.map(({ number }) => ({ number, state: 'accepted' }));
      // A turn claims nothing where the campaign was re-encrypted in its midst.
    } while ((await store.campaigns.find('T1', 'sale'))?.state !== 'done');
    await rotation;
    assert.equal((await store.keyRotation.state()).name, 'removable');
    assert.deepEqual(
      digits.toSorted(),
      manyNumbers(3_000).map((number) => number.slice(1)),
    );
  });

  it('stops where nothing is half done, and goes on from there', async (t) => {
    const dataDir = temporaryFolder(t);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const before = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    for (let count = 0; count < 350; count += 1) {
      await before.keyv('T1', 'area').set(`key ${count}`, count);
    }
    await before.close();
    const stop = new AbortController();
    const stopping: Timers = {
      ...systemTimers,
      // The pause after the first transaction.
      sleep: async (ms, signal) => (ms > 20 ? systemTimers.sleep(ms, signal) : stop.abort()),
    };
    const first = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old], timers: stopping });
    await first.keyRotation.rotate(stop.signal);
    const cut = await first.keyRotation.state();
    assert.deepEqual(cut, { name: 'reencrypting', left: 250 });
    await first.close();
    const store = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old] });
    assert.equal((await store.keyRotation.state()).name, 'reencrypting');
    await store.keyRotation.rotate(signal);
    assert.equal((await store.keyRotation.state()).name, 'removable');
    assert.equal(await store.keyv('T1', 'area').get('key 349'), 349);
  });

  it('leaves a value that was replaced, or deleted, after it was read', async (t) => {
    const dataDir = temporaryFolder(t);
    const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const before = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
    for (const key of ['replaced', 'deleted', 'left']) {
      await before.keyv('T1', 'area').set(key, 'old');
    }
    await before.close();

    const store = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old] });
    const values = store.keyv('T1', 'area');
    // Every value has been read when the first is written.
    const db = new Proxy(store.db, {
      get(target, name) {
        if (name !== 'transaction') {
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === 'function' ? member.bind(target) : member;
        }
        return () => ({
          async execute(write: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) {
            await values.set('replaced', 'new');
            await values.delete('deleted');
            return target.transaction().execute(write);
          },
        });
      },
    });
    const { reencrypted } = await reencrypt(
      db,
      createEncryption([fresh, old]),
      [encryptedColumn('keyv', 'value')],
      {
        signal,
        onReplaced: async () => {},
        onProgress: async () => {},
      },
    );
    assert.equal(reencrypted, 1);
    assert.deepEqual(await Promise.all(['replaced', 'deleted', 'left'].map((key) => values.get(key))), [
      'new',
      undefined,
      'old',
    ]);
  });
});

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { z } from 'zod';
import type { Secret } from '../../src/lib/secret.ts';
import { createEncryption } from '../../src/store/encryption/cipher.ts';
import { reencrypt } from '../../src/store/encryption/reencrypt.ts';
import { keyValueColumn } from '../../src/store/key-value/key-value-store.ts';
import { readDataFiles } from '../support/privacy/data-files.ts';
import { manyNumbers } from '../support/slack/number-files.ts';
import {
  readyCampaign,
  recipient,
  runningCampaign,
  settleAndClaim,
} from '../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../support/store/temporary-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const writtenSchema = z.object({ key: z.string(), value: z.string() });

/**
 * Rotates in another process that writes meanwhile, until it has written so much, or until it is done. Then kills it.
 * Notes in `written` what is on the disk.
 */
async function rotateUnderLoad(
  t: TestContext,
  { dataDir, keys, seed }: { dataDir: string; keys: readonly Secret[]; seed: number },
  { written, killAfter }: { written: Map<string, string[]>; killAfter: number },
): Promise<boolean> {
  const script = join(import.meta.dirname, 'rotating-process.ts');
  const given = [dataDir, keys.map((key) => key.reveal()).join(','), String(seed)];
  const postgres = await postgresOf(t, dataDir);
  const env = { ...process.env, ...(postgres && { DATABASE_URL: postgres.url.reveal() }) };
  const child = fork(script, given, { execArgv: [], env });
  t.after(() => child.kill('SIGKILL'));
  let isRotated = false;
  let writes = 0;
  child.on('message', (message) => {
    if (typeof message === 'string') {
      assert.equal(message, 'rotated');
      isRotated = true;
    } else {
      const { key, value } = writtenSchema.parse(message);
      written.set(key, [...(written.get(key) ?? []), value]);
      writes += 1;
    }
    if (isRotated || writes >= killAfter) {
      child.kill('SIGKILL');
    }
  });
  await once(child, 'exit');
  return isRotated;
}

it('rotates under a load of writes, killed in its midst, and loses nothing', async (t) => {
  const dataDir = temporaryFolder(t);
  const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
  const before = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
  const written = new Map<string, string[]>();
  for (let count = 0; count < 1_000; count += 1) {
    await before.keyv('T1', 'live').set(`key ${count}`, 'first');
    written.set(`key ${count}`, ['first']);
  }
  const texts = manyNumbers(500).map((number) => recipient(number, { text: `Hello ${number}` }));
  await readyCampaign(before, texts, { personal: true });
  await before.close();

  let kills = 0;
  for (let seed = 1; ; seed += 1) {
    const load = { written, killAfter: 30 * seed };
    if (await rotateUnderLoad(t, { dataDir, keys: [fresh, old], seed }, load)) {
      break;
    }
    kills += 1;
  }
  assert.ok(kills > 0, 'it was never killed in its midst');

  const { currentKeyId } = createEncryption([old]);
  const after = await temporaryStore(t, { dataDir, encryptionKeys: [fresh] });
  await after.purge();
  for (const { path, bytes } of readDataFiles(dataDir)) {
    assert.ok(!bytes.includes(currentKeyId), `${path} has a value under the old key`);
  }
  for (const [key, values] of written) {
    const value = await after.keyv('T1', 'live').get(key);
    // One more write may have reached the disk than its process could say before it was killed.
    assert.ok(value === values.at(-1) || !values.includes(value), `${key}: ${value}`);
  }
  const chunks = await Array.fromAsync(after.campaigns.chunks('T1', 'sale', ['waiting']));
  assert.deepEqual(
    chunks.map(({ to, text }) => [...to, text]),
    manyNumbers(500).map((number) => [number, `Hello ${number}`]),
  );
});

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
  const rotation = store.keyRotation.rotate();
  const digits: string[] = [];
  let endings: { number: number; state: 'accepted' }[] = [];
  do {
    const { claimed = [] } =
      (await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, endings, 2)) ?? {};
    digits.push(...claimed.flatMap((chunk) => chunk.digits));
    endings = claimed.map(({ number }) => ({ number, state: 'accepted' }));
  } while (endings.length > 0);
  assert.equal((await rotation).isComplete, true);
  assert.deepEqual(
    digits.toSorted(),
    manyNumbers(3_000).map((number) => number.slice(1)),
  );
  assert.equal((await store.campaigns.find('T1', 'sale'))?.state, 'done');
});

it('stops where nothing is half done, and goes on from there', async (t) => {
  const dataDir = temporaryFolder(t);
  const [old, fresh] = [newEncryptionKey(), newEncryptionKey()];
  const before = await temporaryStore(t, { dataDir, encryptionKeys: [old] });
  for (let count = 0; count < 350; count += 1) {
    await before.keyv('T1', 'area').set(`key ${count}`, count);
  }
  await before.close();
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [fresh, old] });
  const stop = new AbortController();
  const first = await store.keyRotation.rotate({ signal: stop.signal, onProgress: () => stop.abort() });
  assert.equal(first.isComplete, false);
  assert.ok(first.reencrypted > 0 && first.reencrypted < 350);
  const rest = await store.keyRotation.rotate();
  assert.equal(first.reencrypted + rest.reencrypted, 350);
  assert.equal(rest.current, 350);
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
  const { reencrypted } = await reencrypt(db, createEncryption([fresh, old]), [keyValueColumn]);
  assert.equal(reencrypted, 1);
  assert.deepEqual(await Promise.all(['replaced', 'deleted', 'left'].map((key) => values.get(key))), [
    'new',
    undefined,
    'old',
  ]);
});

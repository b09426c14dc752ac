import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Secret } from '../../../src/lib/secret.ts';
import { createEncryption, prefixOf } from '../../../src/store/engine/encryption/cipher.ts';
import { walkColumn } from '../../../src/store/engine/encryption/encrypted-column.ts';
import type { PostgresOptions } from '../../../src/store/engine/postgres/connection.ts';
import { encryptedColumns } from '../../../src/store/schema/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { type RunningProcess, startScript } from '../../support/app/app-process.ts';
import { readDataFiles } from '../../support/privacy/data-files.ts';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { readyCampaign, recipient } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { seeded } from '../soak/random-faults.ts';

const kills = sizeOf('kills of a key rotation');
const stillValues = 1_200;
const numbers = manyNumbers(300);
/** In milliseconds after re-encryption is seen: some pages are re-encrypted by then, and some are not. */
const latestKillMs = 1_000;

const lineSchema = z.union([
  z.enum(['reencrypting', 'removable']),
  z.object({ key: z.string(), value: z.string() }),
]);

for (const database of ['sqlite', 'postgres'] as const) {
  it(`on ${database}, the key changes through ${kills} kills: nothing is lost, unreadable or under the old key`, async (t) => {
    const random = seeded(everySeed);
    const dataDir = temporaryFolder(t);
    const postgres = await postgresOf(t, dataDir, database);
    const open = (key: Secret) => temporaryStore(t, { database, dataDir, encryptionKeys: [key] });
    const written = new Map<string, string[]>();
    let old = newEncryptionKey();
    const before = await open(old);
    for (let count = 0; count < stillValues; count += 1) {
      await before.keyv('T1', 'still').set(`key ${count}`, count);
    }
    await readyCampaign(
      before,
      numbers.map((number) => recipient(number, { text: `Hello ${number}` })),
      { personal: true },
    );
    await before.close();

    let killed = 0;
    let rotations = 0;
    while (killed < kills) {
      const fresh = newEncryptionKey();
      rotations += 1;
      killed += await rotateKilled(t, {
        dataDir,
        postgres,
        keys: [fresh, old],
        rotation: rotations,
        written,
        random,
        kills: kills - killed,
      });
      const after = await open(fresh);
      await assertAllUnder(after, dataDir, { fresh, old });
      for (const [key, values] of written) {
        const value = await after.keyv('T1', 'live').get(key);
        // One more write may have reached the disk than its process could say before it was killed.
        assert.ok(value === values.at(-1) || !values.includes(value), `${key}: ${value}`);
      }
      // Those that were killed: another instance would find them dead in eight seconds.
      await after.db.deleteFrom('instance').where('run', '<>', after.instances.run()).execute();
      await after.close();
      old = fresh;
    }
    t.diagnostic(
      `${killed} kills in ${rotations} changes of the key, ${written.size} keys written meanwhile`,
    );
  });
}

/**
 * Changes the key in one process, or in two on PostgreSQL. Each is killed once or more often at a drawn moment while
 * values are re-encrypted, and started again, until all are. Returns how many were killed.
 */
async function rotateKilled(
  t: TestContext,
  options: {
    dataDir: string;
    postgres: PostgresOptions | undefined;
    keys: readonly Secret[];
    rotation: number;
    written: Map<string, string[]>;
    random: () => number;
    kills: number;
  },
): Promise<number> {
  const { dataDir, postgres, keys, rotation, written, random, kills: most } = options;
  const env = { ...process.env, ...(postgres && { DATABASE_URL: postgres.url.reveal() }) };
  let isRotated = false;
  let killed = 0;

  async function killAtRandom(child: RunningProcess): Promise<void> {
    await setTimeout(random() * latestKillMs);
    if (!isRotated && killed < most && child.isRunning()) {
      killed += 1;
      await child.kill();
    }
  }

  /** Resolves with whether it was killed. */
  async function live(slot: number, life: number): Promise<boolean> {
    const folder = postgres === undefined ? dataDir : join(dataDir, `instance-${slot}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const given = [folder, keys.map((key) => key.reveal()).join(','), `${slot}.${rotation}.${life}`];
    const child: RunningProcess = startScript(
      t,
      [join(import.meta.dirname, 'rotating-process.ts'), ...given],
      {
        env,
        onLine(text) {
          const line = lineSchema.parse(JSON.parse(text));
          if (line === 'removable') {
            isRotated = true;
            void child.stop();
          } else if (line === 'reencrypting') {
            void killAtRandom(child);
          } else {
            written.set(line.key, [...(written.get(line.key) ?? []), line.value]);
          }
        },
      },
    );
    const { code, signal } = await child.ended;
    assert.ok(signal === 'SIGKILL' || code === 0, `a process ended with ${code}`);
    return signal === 'SIGKILL';
  }

  async function liveOn(slot: number): Promise<void> {
    let life = 1;
    while (await live(slot, life)) {
      life += 1;
    }
  }

  await Promise.all((postgres === undefined ? [1] : [1, 2]).map(liveOn));
  return killed;
}

/** Reads every value, and looks for the old key in the files. */
async function assertAllUnder(
  store: Store,
  dataDir: string,
  { fresh, old }: { fresh: Secret; old: Secret },
): Promise<void> {
  const encryption = createEncryption([fresh]);
  const previous = createEncryption([old]).currentKeyId;
  const texts: string[] = [];
  for (const column of encryptedColumns) {
    for await (const { text } of walkColumn(store.db, encryption, column, { isWanted: () => true })) {
      texts.push(text);
    }
  }
  assert.ok(texts.length > stillValues);
  for (let count = 0; count < stillValues; count += 1) {
    assert.equal(await store.keyv('T1', 'still').get(`key ${count}`), count);
  }
  const chunks = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', ['waiting']));
  assert.deepEqual(
    chunks.map(({ to, text }) => [...to, text]),
    numbers.map((number) => [number, `Hello ${number}`]),
  );
  await store.purge();
  const { canary } = await store.db
    .selectFrom('encryptionKey')
    .select('canary')
    .where('id', '=', previous)
    .executeTakeFirstOrThrow();
  for (const { path, bytes } of readDataFiles(dataDir)) {
    const values = bytes.toString('latin1').replaceAll(canary, '');
    assert.ok(!values.includes(prefixOf(previous)), `${path} has a value under the old key`);
  }
}

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Secret } from '../../../src/lib/secret.ts';
import type { PostgresOptions } from '../../../src/store/engine/postgres/connection.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';
import {
  copyPostgresDatabase,
  createPostgresDatabase,
  forEachDatabase,
  onlyOn,
} from '../../support/store/databases.ts';
import { dueNotices } from '../../support/store/due-notices.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const sale = { workspaceId: 'T1', id: 'sale' };

/** A database with a running campaign of three chunks, of which one was sent. */
async function databaseWithCampaign(test: TestContext) {
  const database = await createPostgresDatabase();
  const open = opener(test, newEncryptionKey());
  const dataDir = temporaryFolder(test);
  const store = await open(database, { dataDir });
  test.after(() => database.drop());
  const to = ['1', '2', '3'].map((digit) => recipient(`+23480312345${digit}0`, { text: 'Hi' }));
  await runningCampaign(store, to, { personal: true });
  await sendOne(store);
  return { database, dataDir, open, store };
}

function opener(test: TestContext, key: Secret) {
  return async (postgres: PostgresOptions, options: Partial<StoreOptions> & { dataDir?: string } = {}) => {
    const dataDir = options.dataDir ?? temporaryFolder(test);
    const store = await openStore({ encryptionKeys: [key], ...options, postgres, dataDir });
    test.after(() => store.close());
    return store;
  };
}

async function sendOne(store: Store): Promise<void> {
  const [chunk] = (await settleAndClaim(store, sale, [], 1))?.claimed ?? [];
  assert.ok(chunk);
  await settleAndClaim(store, sale, [{ number: chunk.number, state: 'accepted' }], 0);
}

async function assertGoesOn(store: Store): Promise<void> {
  assert.equal(store.installation.takeover, undefined);
  assert.equal((await store.campaigns.find('T1', 'sale'))?.state, 'running');
}

async function assertHeld(store: Store, reason: string): Promise<void> {
  assert.deepEqual(store.installation.takeover, { reason, heldCampaigns: 1 });
  const campaign = await store.campaigns.find('T1', 'sale');
  assert.equal(campaign?.state, 'paused');
  assert.equal(campaign?.pause?.error?.reason, 'restored');
  assert.notEqual(store.installation.epoch, '');
}

const postgresOnly = onlyOn('postgres', 'installation.test.ts is its like on SQLite');

forEachDatabase(() => {
  describe('data in PostgreSQL that last ran there', postgresOnly, () => {
    it('continues after a stop', async (test) => {
      const { database, dataDir, open, store } = await databaseWithCampaign(test);
      await store.close();
      await assertGoesOn(await open(database, { dataDir }));
    });

    it('continues beside another instance, and after each of them has stopped', async (test) => {
      const { database, dataDir, open, store } = await databaseWithCampaign(test);
      const otherDir = temporaryFolder(test);
      const other = await open(database, { dataDir: otherDir });
      await assertGoesOn(other);
      await sendOne(store);
      await store.close();
      await sendOne(other);
      const again = await open(database, { dataDir });
      assert.equal(again.installation.takeover, undefined);
      await other.close();
      assert.equal((await open(database, { dataDir: otherDir })).installation.takeover, undefined);
    });

    it('continues for an instance whose folder is new', async (test) => {
      const { database, dataDir, open, store } = await databaseWithCampaign(test);
      await store.close();
      rmSync(join(dataDir, 'postgres.mark'));
      await assertGoesOn(await open(database, { dataDir }));
    });
  });

  describe('data in PostgreSQL that was restored or copied', postgresOnly, () => {
    it('is held in a copy of the database, once', async (test) => {
      const { database, dataDir, open, store } = await databaseWithCampaign(test);
      const { epoch } = store.installation;
      await store.close();
      const copy = await copyPostgresDatabase(database);
      test.after(() => copy.drop());
      const held = await open(copy, { dataDir });
      await assertHeld(held, 'other_database');
      const beside = await open(copy);
      assert.equal(beside.installation.takeover, undefined);
      assert.equal(beside.installation.epoch, held.installation.epoch);
      assert.notEqual(held.installation.epoch, epoch);
      await held.close();
      assert.equal((await open(copy, { dataDir })).installation.takeover, undefined);
    });

    it('is held for an instance that knows a later state of it', async (test) => {
      const { database, dataDir, open, store } = await databaseWithCampaign(test);
      const otherDir = temporaryFolder(test);
      await (await open(database, { dataDir: otherDir })).close();
      await store.close();
      // What a restored snapshot of the server has forgotten.
      const mark = join(dataDir, 'postgres.mark');
      const known: { ticks: number } = JSON.parse(readFileSync(mark, 'utf8'));
      writeFileSync(mark, JSON.stringify({ ...known, ticks: known.ticks + 1 }));
      const held = await open(database, { dataDir });
      await assertHeld(held, 'older');
      const other = await open(database, { dataDir: otherDir });
      assert.equal(other.installation.takeover, undefined, 'the first has noticed it for all');
      assert.equal(other.installation.epoch, held.installation.epoch);
    });

    it('is held where a person says so, and tells each user once', async (test) => {
      const { database, dataDir, open, store } = await databaseWithCampaign(test);
      await store.close();
      const held = await open(database, { dataDir, isRestored: true });
      await assertHeld(held, 'declared');
      const beside = await open(database);
      const users = [{ workspaceId: 'T1', userId: 'U1' }];
      for (const each of [held, beside]) {
        assert.equal(each.installation.mustNotify(), true);
        await each.installation.notify(users);
      }
      const restored = (await dueNotices(held)).filter(({ subject }) => subject === 'restored');
      assert.equal(restored.length, 1);
    });

    it('is refused where it is empty, and an instance or SQLite has data', async (test) => {
      const { dataDir, open, store } = await databaseWithCampaign(test);
      await store.close();
      const empty = await createPostgresDatabase();
      test.after(() => empty.drop());
      await assert.rejects(open(empty, { dataDir }), { fault: 'missing_data', message: /postgres\.mark/ });
      const ofSqlite = temporaryFolder(test);
      const sqlite = await openStore({ dataDir: ofSqlite, encryptionKeys: [newEncryptionKey()] });
      await sqlite.close();
      await assert.rejects(open(empty, { dataDir: ofSqlite }), {
        fault: 'missing_data',
        message: /DATABASE_URL/,
      });
    });
  });

  describe('data in PostgreSQL that is replaced while it is in use', postgresOnly, () => {
    it('is read and written no more by an instance that has not noticed it at its start', async (test) => {
      const { database, open, store } = await databaseWithCampaign(test);
      const timers = steppedTimers();
      const beside = await open(database, { timers });
      const declared = await open(database, { isRestored: true });
      await timers.advance(10_000);
      await assert.rejects(
        (async () => {
          for (;;) {
            await beside.ready();
          }
        })(),
        { name: 'StoreError', fault: 'data_gone' },
      );
      await assertHeld(declared, 'declared');
      await store.close();
    });

    it('is noticed by the first new connection', async (test) => {
      const { database, open } = await databaseWithCampaign(test);
      const beside = await open({ ...database, connections: 2 });
      const declared = await open(database, { isRestored: true });
      await declared.close();
      await database.cutConnections();
      await assert.rejects(
        (async () => {
          for (let attempt = 0; attempt < 5; attempt += 1) {
            await beside.campaigns.find('T1', 'sale').catch((error: unknown) => {
              if (error instanceof Error && 'fault' in error && error.fault === 'unreachable') {
                return;
              }
              throw error;
            });
          }
        })(),
        { fault: 'data_gone' },
      );
    });
  });
});

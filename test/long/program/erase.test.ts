import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf } from '../../../src/services/campaigns/sending/running-campaigns.ts';
import { runCommand } from '../../support/app/app-process.ts';
import { socketSettings } from '../../support/app/socket-settings.ts';
import { recipient, runningCampaign } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const number = '+2348031234567';

test('an instance that runs on PostgreSQL learns what it may no longer have in memory', {
  timeout: 60_000,
}, async (t) => {
  const [dataDir, key] = [temporaryFolder(t), newEncryptionKey()];
  const store = await temporaryStore(t, { dataDir, encryptionKeys: [key], database: 'postgres' });
  await runningCampaign(store, [recipient(number), recipient('+2348051234567')]);
  const told = new Map(['caches', 'campaigns'].map((topic) => [topic, Promise.withResolvers<string>()]));
  for (const [topic, { resolve }] of told) {
    // Without a key where it has just connected.
    store.broadcast.on(topic, (name) => name !== undefined && resolve(name));
  }
  await store.jobs.start();
  const postgres = await postgresOf(t, dataDir, 'postgres');
  const { code, stdout, stderr } = await runCommand(
    t,
    'erase',
    {
      ...socketSettings(),
      ENCRYPTION_KEYS: key.reveal(),
      DATA_DIR: dataDir,
      DATABASE_URL: postgres?.url.reveal() ?? '',
    },
    number,
  );
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /1 recipient of campaigns, 1 of them not sent to yet/);
  assert.equal(await told.get('caches')?.promise, 'T1');
  assert.equal(await told.get('campaigns')?.promise, nameOf({ workspaceId: 'T1', id: 'sale' }));
  const runs = await store.db.selectFrom('instance').select('run').execute();
  assert.deepEqual(runs, [{ run: store.instances.run() }], 'it leaves no run of its own');
});

test('is explained where it is called wrongly', async (t) => {
  for (const argv of [[], ['0803 123 4567'], [number, '--workspace'], [number, '+2348051234567']]) {
    const { code, stderr } = await runCommand(t, 'erase', {}, ...argv);
    assert.equal(code, 1);
    assert.match(stderr, /npm run erase -- \+2348031234567/);
  }
});

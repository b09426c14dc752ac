import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { forEachDatabase } from '../../support/store/databases.ts';
import { recipient, runningCampaign } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const script = join(import.meta.dirname, '../../../src/programs/restored.ts');

forEachDatabase((database) => {
  test('npm run restored holds the campaigns, and begins an epoch', async (t) => {
    const dataDir = temporaryFolder(t);
    const key = newEncryptionKey();
    const options = { dataDir, encryptionKeys: [key], database };
    const store = await temporaryStore(t, options);
    await runningCampaign(store, [recipient('+2348031234567')]);
    const postgres = await postgresOf(t, dataDir, database);
    const env = {
      PROVIDER_BASE_URL: 'https://provider.example',
      SLACK_BOT_TOKEN: 'xoxb-not-a-token',
      SLACK_APP_TOKEN: 'xapp-not-a-token',
      ENCRYPTION_KEYS: key.reveal(),
      DATA_DIR: dataDir,
      ...(postgres && { DATABASE_URL: postgres.url.reveal() }),
    };
    const run = () => promisify(execFile)(process.execPath, [script], { env });
    await assert.rejects(run(), /is in use by process/);
    await store.close();
    const { stdout } = await run();
    assert.match(stdout, /Campaigns paused until a person resumes them: 1\./);

    const after = await temporaryStore(t, options);
    assert.notEqual(after.installation.epoch, store.installation.epoch);
    assert.equal(after.installation.takeover, undefined);
    assert.ok(after.installation.restoredAt);
    const campaign = await after.campaigns.find('T1', 'sale');
    assert.equal(campaign?.pause?.error?.reason, 'restored');
  });
});

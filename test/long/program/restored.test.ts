import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../support/app/app-process.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { recipient, runningCampaign } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
    const run = () => runCommand(t, 'restored', env);
    const refused = await run();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is in use by process/);
    await store.close();
    const { code, stdout } = await run();
    assert.equal(code, 0);
    assert.match(stdout, /Campaigns and scheduled messages paused until a person resumes them: 1\./);

    const after = await temporaryStore(t, options);
    assert.notEqual(after.installation.epoch, store.installation.epoch);
    assert.equal(after.installation.takeover, undefined);
    assert.ok(after.installation.restoredAt);
    const campaign = await after.campaigns.find('T1', 'sale');
    assert.equal(campaign?.pause?.error?.reason, 'restored');
  });
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { manifestText } from '../../src/slack/app/manifest-text.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('COMMAND_PREFIX', () => {
  it('is part of every command, and of its name in help and errors', async (test) => {
    const manifestPath = join(temporaryFolder(test), 'manifest.yml');
    writeFileSync(manifestPath, manifestText({ prefix: 'acme-' }));
    const env = { COMMAND_PREFIX: 'acme-' };
    const { ada, grace, app, provider, teamId } = await startTestApp(test, { manifestPath, env });
    for (const command of ['sms', 'dnd-check', 'switchboard']) {
      await ada.types(`/acme-${command}`, 'help');
      const help = await ada.sees(`with /acme-${command}`);
      assert.ok(!JSON.stringify(help).includes(`/${command}`));
    }
    await ada.types('/acme-sms');
    await ada.sees('type `/acme-switchboard`');

    const { workspaces } = app().services;
    await workspaces.connect(teamId, provider.account.key, grace.id);
    await workspaces.saveDefaults(teamId, { ...(await workspaces.defaults(teamId)), esimPurchases: false });
    await ada.types('/acme-esim', 'create Kenya');
    await ada.sees('`/acme-esim` still lists plans');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditActions } from '../../src/services/audit/audit-service.ts';
import { outcomeRenderers } from '../../src/slack/features/register-features.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { aboutTheApp } from '../support/audit/app-steps.ts';
import { does, entries, said } from '../support/audit/audit-steps.ts';
import { aboutCampaigns } from '../support/audit/campaign-steps.ts';
import { aboutPeople } from '../support/audit/people-steps.ts';
import { slackUserAt } from '../support/slack/slack-user.ts';

/** What is recorded elsewhere: by the ledger for each of its kinds, or tested with the store. */
const recordedElsewhere = [
  ...Object.keys(outcomeRenderers),
  // test/store/campaigns/audit-entries.test.ts
  'campaign.miss',
  // test/store/audit/audit-trail.test.ts
  'audit.tampered',
  // test/store/approvals/approvals.test.ts
  ...['request', 'approve', 'reject', 'withdraw', 'expire', 'void'].map((verb) => `approval.${verb}`),
  // test/journeys/encryption-keys.test.ts, test/journeys/erasure.test.ts
  ...['keys.rotate', 'person.erase'],
  // Below.
  ...['install', 'reinstall', 'uninstall', 'revoke'].map((verb) => `installation.${verb}`),
  // test/store/deliveries/campaign-deliveries.test.ts
  'campaign.resolve',
  'audit.export',
  // test/journeys/reply-threads.test.ts
  ...['assign', 'finish'].map((verb) => `reply.${verb}`),
  // test/journeys/watchers.test.ts
  ...['mute', 'unmute'].map((verb) => `watch.${verb}`),
  // test/journeys/limits.test.ts
  'limits.change',
  'limits.lift',
];

describe('the audit', () => {
  it('has who did what, how it ended, and from where, for each kind of action', async (test) => {
    const testApp = await startTestApp(test, { limits: { numbers: { 'codes.again': 600 } } });
    const steps = [...aboutTheApp, ...aboutPeople, ...aboutCampaigns];
    await does(testApp, steps);

    const all = await entries(testApp);
    const settingsChange = all.find(({ subject }) => subject === 'defaults');
    assert.deepEqual(JSON.parse(settingsChange?.details ?? ''), { senderId: ['', 'PalmMarket'] });
    const codes = all.find(({ subject }) => subject === 'one-time codes');
    assert.deepEqual(JSON.parse(codes?.details ?? ''), { text: 'changed' });
    const replaced = all.find(({ action, outcome }) => action === 'connection.replace' && outcome === 'done');
    const { key, otherAccount } = {
      ...testApp.provider.account,
      otherAccount: testApp.provider.otherAccount,
    };
    assert.deepEqual(JSON.parse(replaced?.details ?? ''), {
      before: `…${key.slice(-4)}`,
      key: `…${otherAccount.key.slice(-4)}`,
    });
    const ended = all.find(({ action }) => action === 'campaign.end');
    const { accepted, rejected, state } = JSON.parse(ended?.details ?? '');
    assert.deepEqual([state, accepted + rejected], ['done', 2]);
    const whole = JSON.stringify(all);
    assert.doesNotMatch(whole, /\+?234\d{10}|080\d{8}|not-a-key|Palm: <code>|on its way|parcel/);

    const problems: unknown[] = [];
    const check = await testApp.app().services.audit.verify({
      onProblem: async (problem) => void problems.push(problem),
    });
    assert.deepEqual([check.entries, problems], [all.length, []]);

    const recorded = new Set([...all.map(({ action }) => action), ...recordedElsewhere]);
    assert.deepEqual(
      [...auditActions].filter((action) => !recorded.has(action)),
      [],
    );
    assert.deepEqual(
      [...recorded].filter((action) => !auditActions.some((known) => known === action)),
      [],
    );
  });

  it('outlives the workspace that removed the app, with who installed and removed it', async (test) => {
    const testApp = await startTestApp(test, { install: 'oauth' });
    const { install, slack, provider, app } = testApp;
    const harbor = { workspace: 'T0HARBOR', person: 'U0HARADMIN' };
    await install(harbor);
    await install(harbor);
    const hana = slackUserAt(slack, harbor.person);
    await hana.types('/switchboard', 'connect');
    await hana.fills('API key', provider.account.key);
    await hana.submits();
    await hana.seesModal('Switchboard', 'Connected');
    await slack.uninstall(harbor.workspace);
    await app().settled();
    await install(harbor);
    await slack.revokeTokens(harbor.workspace);
    await app().settled();
    await slack.until(
      () => testApp.log().split('the app was removed').length > 2 || undefined,
      'the end of both installations',
    );
    const all = await entries(testApp, harbor.workspace);
    // Slack says of a removal that the tokens are revoked too, in any order.
    const withoutOrder = all.map((entry) =>
      entry.action === 'installation.revoke' ? { ...entry, action: 'installation.uninstall' } : entry,
    );
    assert.deepEqual(withoutOrder.map(said), [
      [harbor.person, 'installation.install', 'done', 'install'],
      [harbor.person, 'installation.reinstall', 'done', 'install'],
      [harbor.person, 'connection.connect', 'done', 'modal'],
      [undefined, 'installation.uninstall', 'done', 'slack'],
      [harbor.person, 'installation.install', 'done', 'install'],
      [undefined, 'installation.uninstall', 'done', 'slack'],
    ]);
    assert.deepEqual(await entries(testApp), [], 'nothing in the audit of another workspace');
  });
});

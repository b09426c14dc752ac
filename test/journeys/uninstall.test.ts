import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { lastRecorded, tablesOf } from '../support/app/removed-workspace.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { asSeen } from '../support/campaign-harness.ts';
import { compose, eventually, recipients, start } from '../support/campaigns.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';
import { connectAs, looksUp } from '../support/slack/workspace-steps.ts';

const first = { workspace: 'T0SWITCH', person: 'U0ADMIN' };

const harbor = { workspace: 'T0HARBOR', person: 'U0HARADMIN' };

const group = { enterprise: 'E0SWITCH', person: 'W0CHIEF' };

const number = '+2348031234567';

/** Whether a request to the provider was made with a key: a look-up has it in its query, a send in its body. */
function isWithKey(key: string): (arrival: TestApp['provider']['arrivals'][number]) => boolean {
  return ({ query, text }) => query.api_key === key || text.includes(key);
}

forOneAndThreeInstances(() => {
  describe('removing the app from a workspace', () => {
    it('stops what it sends, deletes what it has, and leaves the others alone', async (test) => {
      const { wait, arrived, release } = heldResponses(test);
      const testApp = await startTestApp(test, {
        install: 'oauth',
        wait,
        env: { CAMPAIGN_MESSAGES_PER_SECOND: '100' },
      });
      const { ada, grace, slack, provider, install, app, log, stopApp, startApp } = testApp;
      await install(first);
      await install(harbor);
      await connectAs(slack, 'U0ADMIN', provider.account.key);
      await connectAs(slack, 'U0HARADMIN', provider.otherAccount.key);
      await startFrom(grace, 'PalmMarket');

      // A message that is reviewed, a campaign in its form, and one that is being sent.
      await ada.types('/sms', `${number} Hello`);
      const { channel, ts } = await ada.sees('Your message is ready');
      const container = { type: 'message' as const, channel, ts };
      const sends = slack.later({
        do: 'action',
        person: ada.id,
        container,
        blockId: 'review',
        actionId: 'sms_send',
      });
      await compose(ada, { file: ['Phone', '+2348030009603', ...recipients(400)].join('\n') });
      await start(ada);
      await ada.seesModal('Started');
      await ada.closes();
      await arrived;
      await review(ada, { to: number, text: 'Hello' });
      const { id } = await ada.seesModal('Message review');
      const submits = slack.later({ do: 'submit', person: ada.id, viewId: id });

      await slack.uninstall('T0SWITCH');
      await app().settled();
      const sent = provider.arrivals.length;
      release();
      for (const act of [sends, submits]) {
        const { status } = await act();
        assert.equal(status, 200, 'answered, and by nobody');
      }
      await looksUp(slack, 'U0HARAGENT');
      const ofFirst = provider.arrivals.slice(sent).filter(isWithKey(provider.account.key));
      assert.deepEqual(ofFirst, [], 'nothing more is sent');
      // Slack sends both events at once; the first to arrive ends the installation.
      const [action, surface] = (await lastRecorded(testApp, 'T0SWITCH')) ?? [];
      assert.match(`${action} ${surface}`, /^installation\.(uninstall|revoke) slack$/);
      await stopApp();
      assert.doesNotMatch(log(), /unexpected error|unhandled/);
      assert.deepEqual(await tablesOf(testApp, 'T0SWITCH'), ['audit_chain', 'audit_entry', 'slack_removal']);
      assert.ok((await tablesOf(testApp, 'T0HARBOR')).includes('keyv'));

      await startApp();
      await looksUp(slack, 'U0HARAGENT');
      await install(first);
      assert.deepEqual(await lastRecorded(testApp, 'T0SWITCH'), ['installation.install', 'install']);
      await slack.redeliver('event app_uninstalled');
      await app().settled();
      await ada.types('/number', number);
      await ada.sees('isn’t connected to the provider');
    });
  });

  it('removing the app from an enterprise deletes its workspaces, but not one with an installation of its own', async (test) => {
    const testApp = await startTestApp(test, { install: 'oauth' });
    const { slack, provider, install, app, stopApp } = testApp;
    await install(group);
    await connectAs(slack, 'U0ADMIN', provider.account.key);
    await connectAs(slack, 'W0SISADMIN', provider.otherAccount.key);
    await install(first);
    await slack.uninstall('E0SWITCH');
    await app().settled();
    await looksUp(slack, 'U0AGENT');
    await stopApp();
    const ofSister = await tablesOf(testApp, 'T0SISTER');
    assert.deepEqual(
      ofSister.filter((table) => !table.startsWith('audit_')),
      ['slack_removal'],
    );
    assert.ok((await tablesOf(testApp, 'T0SWITCH')).includes('keyv'));
  });

  it('revoked tokens of the bot remove the app; those of somebody else do not', async (test) => {
    const testApp = await startTestApp(test, { install: 'oauth' });
    const { slack, provider, install, app, stopApp } = testApp;
    await install(harbor);
    await connectAs(slack, 'U0HARADMIN', provider.account.key);
    await slack.sendEvent({ type: 'tokens_revoked', tokens: { oauth: ['U0HARAGENT'], bot: [] } }, 'T0HARBOR');
    await slack.sendEvent({ type: 'tokens_revoked', tokens: { oauth: ['U0HARAGENT'] } }, 'T0HARBOR');
    await app().settled();
    await looksUp(slack, 'U0HARAGENT');
    await install(harbor);
    assert.deepEqual(await lastRecorded(testApp, 'T0HARBOR'), ['installation.reinstall', 'install']);
    await slack.revokeTokens('T0HARBOR');
    await app().settled();
    assert.deepEqual(await lastRecorded(testApp, 'T0HARBOR'), ['installation.revoke', 'slack']);
    await stopApp();
    const left = await tablesOf(testApp, 'T0HARBOR');
    assert.deepEqual(
      left.filter((table) => !table.startsWith('audit_')),
      ['slack_removal'],
    );
  });

  describe('a removal whose events were missed', () => {
    it('holds what was being sent, deletes nothing, and lets it go on after a reinstall', async (test) => {
      const { wait, arrived, release } = heldResponses(test);
      const testApp = await startTestApp(test, {
        install: 'oauth',
        wait,
        env: { CAMPAIGN_MESSAGES_PER_SECOND: '100' },
      });
      const { ada, grace, slack, provider, install, app, stopApp, startApp, log } = testApp;
      await install(first);
      await install(harbor);
      await connectAs(slack, 'U0ADMIN', provider.account.key);
      await connectAs(slack, 'U0HARADMIN', provider.otherAccount.key);
      await startFrom(grace, 'PalmMarket');
      await compose(ada, { file: ['Phone', '+2348030009603', ...recipients(2_000)].join('\n') });
      await start(ada);
      await ada.seesModal('Started');
      await ada.closes();
      await arrived;
      const stopped = stopApp();
      release();
      await stopped;
      await slack.uninstall('T0SWITCH').catch(() => undefined);

      const sent = provider.arrivals.length;
      await startApp();
      await looksUp(slack, 'U0HARAGENT');
      await app().settled();
      const ofFirst = () => provider.arrivals.slice(sent).filter(isWithKey(provider.account.key));
      assert.deepEqual(ofFirst(), [], 'nothing is sent');
      const held = await app().services.campaigns.listActive();
      assert.deepEqual(
        held.map(({ state, pause, counts }) => [state, pause?.error?.reason, counts.accepted < 1_000]),
        [['paused', 'shut_out', true]],
      );
      assert.match(log(), /Slack no longer accepts an installation/);
      assert.doesNotMatch(log(), /unexpected error|unhandled/);

      await install(first);
      const id = held[0]?.id ?? '';
      await app().services.campaigns.resume(
        await asSeen(app().services.campaigns, {
          workspaceId: 'T0SWITCH',
          userId: ada.id,
          isAdmin: true,
          id,
        }),
      );
      await eventually(() => ofFirst().length > 0, 'the rest of the campaign');
    });
  });

  it('an installation that Slack refuses while the program runs is held at once', async (test) => {
    const { wait, arrived, release } = heldResponses(test);
    const testApp = await startTestApp(test, { install: 'oauth', wait });
    const { ada, grace, slack, provider, install, app } = testApp;
    await install(first);
    await connectAs(slack, 'U0ADMIN', provider.account.key);
    await startFrom(grace, 'PalmMarket');
    await compose(ada, { file: ['Phone', '+2348030009603', ...recipients(400)].join('\n') });
    await start(ada);
    await ada.seesModal('Started');
    await ada.closes();
    await arrived;
    slack.faultBy((method) => (method.startsWith('oauth') ? undefined : { error: 'account_inactive' }));
    await ada.types('/sms');
    // The request, and then what follows from Slack's answer to it.
    await app().settled();
    await app().settled();
    const sent = provider.arrivals.length;
    release();
    const states = async () => (await app().services.campaigns.listActive()).map(({ state }) => state);
    assert.deepEqual(await states(), ['paused']);
    await app().settled();
    assert.equal(provider.arrivals.length, sent);
  });
});

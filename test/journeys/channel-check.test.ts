import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { forOneAndThreeInstances, testedInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, start } from '../support/campaigns.ts';
import { campaigns, type SlackUser, support, wordsOf } from '../support/slack/slack-user.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const withoutWarning = /^(?![\s\S]*isn’t in)/;

const notThere = (channel: string) => `Switchboard isn’t in <#${channel}>`;

/** Opens the form of a message, and picks a channel for its result. */
async function pick(user: SlackUser, channel: string): Promise<void> {
  await user.types('/sms');
  await user.fills('To', '+2348031234567');
  await user.fills('Route', 'Transactional (DND)');
  await user.fills('Sender ID', 'PalmMarket');
  await user.fills('Message', 'Hello');
  await user.fills('Who sees the result', 'In a channel');
  await user.fills('Channel', channel);
}

function callsOf({ slack }: TestWorkspace, method: string): number {
  return slack.exchanges.filter(({ what }) => what === method).length;
}

/** The project's manifest without some of its scopes. */
function manifestWithout(test: { after(end: () => void): void }, scopes: readonly string[]): string {
  const path = join(temporaryFolder(test), 'manifest.yml');
  const manifest = parse(readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8'));
  const { bot } = manifest.oauth_config.scopes;
  manifest.oauth_config.scopes = { bot: bot.filter((scope: string) => !scopes.includes(scope)) };
  writeFileSync(path, stringify(manifest));
  return path;
}

forOneAndThreeInstances(() => {
  describe('a channel that is picked for a result', () => {
    it('without the app: a warning, *Invite* joins the channel, and the result is there', async (test) => {
      const { ada, grace, connect, channels } = await joinTestApp(test);
      await connect();
      await pick(ada, channels.campaigns);
      await ada.seesModal(
        'New message',
        `*${notThere(channels.campaigns)}.* The result will come to you instead.`,
      );
      await ada.presses('Invite');
      const form = await ada.seesModal('New message', `Switchboard is in <#${channels.campaigns}> now.`);
      assert.doesNotMatch(wordsOf(form.view), /isn’t in/);
      assert.match(JSON.stringify(form.values), /Hello/, 'what was typed is still there');
      await ada.submits();
      await ada.seesModal('Message review', `The result goes to <#${channels.campaigns}>.`);
      await ada.submits();
      await ada.seesModal('Message sent', `The result is in <#${channels.campaigns}>.`);
      assert.equal((await grace.sees('with Switchboard')).channel, channels.campaigns);
    });

    it('without the app, and not invited: review and last modal say where the result is', async (test) => {
      const { ada, connect, channels } = await joinTestApp(test);
      await connect();
      await pick(ada, channels.campaigns);
      await ada.seesModal('New message', notThere(channels.campaigns));
      await ada.submits();
      await ada.seesModal(
        'Message review',
        `The result goes to your messages with Switchboard, because ${notThere(channels.campaigns)}.`,
      );
      await ada.submits();
      const sent = wordsOf((await ada.seesModal('Message sent', 'in your messages with Switchboard')).view);
      assert.match(sent, /Switchboard isn’t in <#C0CAMPAIGNS\w*>/);
      assert.match(sent, /\/invite @Switchboard/);
    });

    it('with the app: nothing is said, and Slack is asked once while the user types', async (test) => {
      const app = await joinTestApp(test);
      const { ada, connect, channels } = app;
      await connect();
      await pick(ada, channels.support);
      for (const text of ['Hell', 'Hello', 'Hello you']) {
        await ada.fills('Message', text);
      }
      await app.app().settled();
      assert.equal(callsOf(app, 'conversations.info'), testedInstances, 'once by each instance');
      assert.doesNotMatch(wordsOf((await ada.seesModal('New message')).view), /Switchboard (?:isn’t|can’t)/);
    });

    it('keeps its warning while the form changes, and loses it with the choice of another', async (test) => {
      const { ada, connect, channels } = await joinTestApp(test);
      await connect();
      await pick(ada, channels.campaigns);
      await ada.seesModal('New message', notThere(channels.campaigns));
      await ada.fills('Route', 'Voice');
      assert.match(wordsOf((await ada.seesModal('New message')).view), /isn’t in/);
      await ada.fills('Channel', channels.support);
      await ada.seesModal('New message', withoutWarning);
    });

    it('archived: an error beside the field', async (test) => {
      const { ada, provider, connect, channels } = await joinTestApp(test);
      await connect();
      await pick(ada, channels.oldNews);
      await ada.seesModal('New message', 'is archived.* Choose another channel.');
      await ada.submits();
      assert.equal(ada.errorBeside('Channel'), 'This channel is archived. Choose another channel.');
      await ada.fills('Channel', channels.support);
      await ada.submits();
      await ada.seesModal('Message review');
      assert.equal(provider.record.length, 0);
    });

    it('that the app may not join: how to invite it, and *Check again*', async (test) => {
      const manifestPath = manifestWithout(test, ['channels:join']);
      const { ada, connect } = await startTestApp(test, { manifestPath });
      await connect();
      await pick(ada, campaigns);
      await ada.seesModal('New message', 'type `/invite @Switchboard` in the channel');
      await ada.types('/invite', '@Switchboard', campaigns);
      await ada.presses('Check again');
      await ada.seesModal('New message', withoutWarning);
    });

    it('that the app cannot see: what is known', async (test) => {
      const { ada, slack, connect, channels } = await joinTestApp(test);
      await connect();
      slack.fault('conversations.info', { error: 'channel_not_found', times: testedInstances });
      await pick(ada, channels.support);
      await ada.seesModal(
        'New message',
        'Switchboard can’t see this channel.* The result will come to you instead.',
      );
    });

    for (const [name, prepare] of [
      ['the optional scopes', undefined],
      ['an answer of Slack', { hang: true }],
    ] as const) {
      it(`is used without ${name}`, async (test) => {
        const { ada, grace, slack, provider, connect } = await startTestApp(
          test,
          prepare === undefined
            ? { manifestPath: manifestWithout(test, ['channels:join', 'channels:read', 'groups:read']) }
            : {},
        );
        await connect();
        if (prepare !== undefined) {
          slack.fault('conversations.info', prepare);
        }
        await pick(ada, support);
        if (prepare === undefined) {
          await ada.seesModal(
            'New message',
            'If Switchboard isn’t in the channel, the result will come to you.',
          );
        }
        const { trouble } = await ada.submits();
        assert.equal(trouble, undefined, 'it is acknowledged');
        await ada.seesModal('Message review', 'The result goes to <#C0SUPPORT>.');
        await ada.submits();
        assert.equal((await grace.sees('with Switchboard')).channel, support);
        assert.equal(provider.record.length, 1);
      });
    }
  });

  describe('a channel that is picked for the progress of a campaign', () => {
    it('without the app: the start says that the progress is with its creator', async (test) => {
      const { ada, connect, channels } = await joinTestApp(test);
      await connect();
      await compose(ada, { pasted: '+2348031234567, +2348051234567' });
      await start(ada, channels.campaigns);
      await ada.seesModal(
        'Started',
        `Follow the progress in your messages with Switchboard, because ${notThere(channels.campaigns)}.`,
      );
      assert.notEqual((await ada.sees('2 recipients')).channel, channels.campaigns);
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { compose, eventually, reached, recipients, start } from '../support/campaigns.ts';
import { accountOf, senderIdOf, tenants } from '../support/crossing/tenants.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { type SlackUser, slackUserAt } from '../support/slack/slack-user.ts';
import { advanceUntil, steppedTimers } from '../support/stepped-timers.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

/** The provider answers a message to it when the test lets it. */
const slowNumber = '+2348030009603';
const numbers = [slowNumber, ...recipients(600)];

/** Starts a campaign that is not through: the provider holds its first response. */
async function sends(person: SlackUser, from = 'PalmMarket'): Promise<void> {
  await compose(person, { file: ['Phone', ...numbers].join('\n'), name: 'Opening', from });
  await start(person);
  await person.seesModal('Started');
  await person.closes();
}

async function activeOf({ app }: TestApp, workspaceId: string) {
  const active = await app().services.campaigns.listActive();
  return active
    .filter((campaign) => campaign.workspaceId === workspaceId)
    .map(({ state, pause }) => [state, pause?.error?.reason]);
}

/** Waits for the requests, and then for what follows from Slack's answers to them. */
async function settled({ app }: TestApp): Promise<void> {
  await app().settled();
  await app().settled();
}

async function resumes(person: SlackUser): Promise<void> {
  await person.types('/sms', 'bulk list');
  await person.seesModal('Campaigns', 'Opening');
  await person.presses('Open');
  await person.seesModal(/Campaign/, 'Slack stopped letting Switchboard');
  await person.presses('Resume');
}

describe('with SLACK_BOT_TOKEN, a token that Slack refuses while the program runs', () => {
  for (const error of ['token_revoked', 'account_inactive', 'invalid_auth']) {
    it(`pauses what is being sent at ${error}, deletes nothing, and lets it go on once it is accepted`, async (test) => {
      const { wait, arrived, release } = heldResponses(test);
      const timers = steppedTimers();
      const testApp = await startTestApp(test, {
        wait,
        timers,
        env: { CAMPAIGN_MESSAGES_PER_SECOND: '100' },
      });
      const { ada, slack, provider, connect, log } = testApp;
      await connect();
      await sends(ada);
      await arrived;
      slack.faultBy(() => ({ error }));
      await ada.types('/sms');
      await settled(testApp);
      assert.deepEqual(await activeOf(testApp, 'T0SWITCH'), [['paused', 'shut_out']]);
      const sent = provider.arrivals.length;
      release();
      await timers.advance(60_000);
      await settled(testApp);
      assert.equal(provider.arrivals.length, sent, 'nothing more is sent');
      assert.match(log(), /Slack no longer accepts SLACK_BOT_TOKEN/);
      assert.doesNotMatch(log(), /unexpected error|unhandled/);

      slack.faultBy(() => undefined);
      await resumes(ada);
      const all = eventually(() => reached(provider.record).length >= numbers.length, 'all recipients');
      await advanceUntil(all, () => timers.advance(100));
      assert.deepEqual(reached(provider.record), [...numbers].sort(), 'each once');
    });
  }

  it('is noticed within the hour where nothing is asked of Slack', async (test) => {
    const timers = steppedTimers({ from: 60_000 });
    const { clock, pass } = stoppedClock();
    const { wait, arrived } = heldResponses(test);
    const testApp = await startTestApp(test, { wait, clock, timers });
    const { ada, slack, connect } = testApp;
    await connect();
    await sends(ada);
    await arrived;
    slack.faultBy((method) => (method === 'auth.test' ? { error: 'token_revoked' } : undefined));
    assert.deepEqual(await activeOf(testApp, 'T0SWITCH'), [['running', undefined]]);
    for (let minute = 0; minute <= 60; minute += 1) {
      pass(60_000);
      await timers.advance(60_000);
    }
    await slack.until(
      () => ada.messages().some(({ text }) => text.includes('Paused')),
      'the news of the pause',
    );
    assert.deepEqual(await activeOf(testApp, 'T0SWITCH'), [['paused', 'shut_out']]);
  });
});

describe('a workspace that is taken out of an installation of its enterprise', () => {
  it('is held, and nobody else, until the app is let in again', async (test) => {
    const { wait, held, release } = heldResponses(test);
    const { clock, pass } = stoppedClock();
    const timers = steppedTimers();
    const testApp = await startTestApp(test, {
      install: 'oauth',
      wait,
      timers,
      clock,
      accounts: tenants.map((tenant) => accountOf(tenant, clock.now())),
      env: { CAMPAIGN_MESSAGES_PER_SECOND: '100' },
    });
    const { slack, provider, install, log } = testApp;
    await install({ enterprise: 'E0SWITCH', person: 'W0CHIEF' });
    const [first, sister] = tenants;
    assert.ok(first && sister);
    const chief = ({ workspaceId: team }: { workspaceId: string }) => slackUserAt(slack, 'W0CHIEF', { team });
    const [away, home] = [chief(sister), chief(first)];
    for (const tenant of [sister, first]) {
      const person = chief(tenant);
      await person.types('/switchboard', 'connect');
      await person.fills('API key', tenant.key);
      await person.submits();
      await person.seesModal('Switchboard', 'Connected');
      await person.closes();
      await sends(person, senderIdOf(tenant));
    }
    await held(2);

    const opens = slack.later({
      ...{ do: 'command', person: 'W0CHIEF', team: 'T0SISTER', channel: sister.channel },
      ...{ command: '/sms', text: '' },
    });
    slack.setAccess('T0SISTER', 'E0SWITCH', false);
    await opens();
    await settled(testApp);
    assert.match(log(), /which workspaces of an enterprise the app may enter/);
    assert.deepEqual(await activeOf(testApp, 'T0SISTER'), [['paused', 'shut_out']]);
    assert.deepEqual(await activeOf(testApp, 'T0SWITCH'), [['running', undefined]]);
    const before = provider.arrivals.length;
    release();
    await advanceUntil(home.sees(/\*Done:\*/), () => timers.advance(100));
    const more = provider.arrivals.slice(before).filter(({ text }) => text.includes(sister.key));
    assert.deepEqual(more, [], 'nothing more is sent for the one');

    slack.setAccess('T0SISTER', 'E0SWITCH', true);
    pass(60_000);
    // The first request shows that the app is let in again, and is not served yet.
    await away.types('/sms', 'bulk list');
    await settled(testApp);
    await resumes(away);
    const ofAway = () => reached(provider.record.filter(({ account }) => account === sister.key));
    const all = eventually(() => ofAway().length >= numbers.length, 'all recipients');
    await advanceUntil(all, () => timers.advance(100));
    assert.deepEqual(ofAway(), [...numbers].sort(), 'each once');
  });
});

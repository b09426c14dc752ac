import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserAction } from '../../sandbox/slack/protocol.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';
import { advanceUntil, steppedTimers } from '../support/stepped-timers.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

const minute = 60_000;

/** A user whose authorization is cached, with one message to send by a click and another by a submission. */
async function aboutToSend({
  ada,
  grace,
  connect,
}: TestWorkspace): Promise<{ click: UserAction; submission: UserAction }> {
  await connect();
  await startFrom(grace, 'PalmMarket');
  await ada.types('/sms', '+2348031234567 Hello');
  const { channel, ts } = await ada.sees('Your message is ready');
  await review(ada, { to: '+2348051234567', text: 'Hello' });
  const { id } = await ada.seesModal('Message review');
  return {
    click: {
      do: 'action',
      person: ada.id,
      container: { type: 'message', channel, ts },
      blockId: 'review',
      actionId: 'sms_send',
    },
    submission: { do: 'submit', person: ada.id, viewId: id },
  };
}

describe('a user who was authorized before', () => {
  it('gets no answer in another workspace', async (test) => {
    const testApp = await joinTestApp(test);
    const { slack, ada, provider, channels, app } = testApp;
    const { click, submission } = await aboutToSend(testApp);
    const help: UserAction = {
      do: 'command',
      person: ada.id,
      channel: channels.support,
      command: '/sms',
      text: 'help',
    };
    const before = ada.messages();
    for (const action of [help, click, submission]) {
      const { answer } = await slack.forge(action, { team: 'T0FOREIGN' });
      assert.ok(answer === null || answer === '', `an empty answer, not ${JSON.stringify(answer)}`);
    }
    await app().settled();
    assert.deepEqual(ada.messages(), before);
    assert.equal(provider.record.length, 0);
  });

  it('is looked up again after a minute', async (test) => {
    const { clock, pass } = stoppedClock();
    // Another instance knows her from another moment on.
    const { ada, slack, connect } = await startTestApp(test, { clock, instances: 1 });
    await connect();
    const lookups = () => slack.exchanges.filter(({ what }) => what === 'users.info').length;
    const before = lookups();
    await ada.types('/sms');
    await ada.seesModal('New message');
    slack.setRole(ada.id, 'guest');
    pass(minute - 1);
    await ada.fills('Route', 'Chat app');
    await ada.seesModal('New message', 'Device');
    assert.equal(lookups(), before + 1);
    pass(1);
    await ada.fills('Route', 'Promotional (generic)');
    await ada.seesTrouble('isn’t open to guests');
  });

  it('is looked up again after a minute even when the clock was set back', async (test) => {
    const { clock, pass, leap } = stoppedClock();
    const { grace, slack, connect } = await startTestApp(test, { clock, transport: 'socket' });
    await connect();
    slack.setRole(grace.id, 'member');
    leap(-24 * 60 * minute);
    pass(minute);
    await grace.types('/switchboard');
    await grace.sees('Only admins of this workspace can change the settings');
  });

  it('is refused while the trigger is still valid when the lookup is slow', async (test) => {
    const timers = steppedTimers();
    const { ada, slack, connect } = await startTestApp(test, { timers });
    await connect();
    const lookup = slack.hold('users.info');
    const before = timers.elapsed();
    const refused = ada.types('/sms').then(() => ada.sees('Slack didn’t say in time who you are'));
    await advanceUntil(refused, () => timers.advance(10));
    assert.ok(timers.elapsed() - before < 3_000, 'a trigger lives for three seconds');
    lookup.release();
    await ada.types('/sms');
    await ada.seesModal('New message');
  });
});

const settings = async (grace: SlackUser) => {
  await grace.types('/switchboard');
  await grace.seesModal('Switchboard');
};

describe('a former admin whose settings are still open', () => {
  const adminActions: {
    what: string;
    open: (grace: SlackUser) => Promise<unknown>;
    act: (grace: SlackUser) => Promise<unknown>;
  }[] = [
    {
      what: 'save defaults',
      open: async (grace) => {
        await settings(grace);
        await grace.presses('Change defaults');
        await grace.fills('Sender ID', 'OtherName');
      },
      act: (grace) => grace.submits(),
    },
    {
      what: 'connect another key',
      open: async (grace) => {
        await grace.types('/switchboard', 'connect');
        await grace.fills('API key', 'sandbox-key-of-another-account');
      },
      act: (grace) => grace.submits(),
    },
    { what: 'ask for the form for a key', open: settings, act: (grace) => grace.presses('Replace key') },
    { what: 'disconnect', open: settings, act: (grace) => grace.presses('Disconnect') },
  ];

  for (const { what, open, act } of adminActions) {
    it(`cannot ${what}`, async (test) => {
      const { clock, pass } = stoppedClock();
      const { grace, slack, provider, connect } = await startTestApp(test, { clock });
      await connect();
      await open(grace);
      const before = provider.arrivals.length;
      slack.setRole(grace.id, 'member');
      pass(minute);
      await act(grace);
      await grace.seesTrouble('Only admins can do this');
      await grace.closes();
      assert.equal(provider.arrivals.length, before);

      slack.setRole(grace.id, 'owner');
      pass(minute);
      await grace.types('/switchboard');
      const { values } = await grace.seesModal('Switchboard', `\`${provider.account.key.slice(-4)}\``);
      assert.doesNotMatch(JSON.stringify(values), /OtherName/);
    });
  }
});

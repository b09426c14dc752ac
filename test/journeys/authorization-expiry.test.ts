import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserAction } from '../../sandbox/slack/protocol.ts';
import { type Person, support } from '../support/person.ts';
import { review, startFrom } from '../support/sms.ts';
import { stoppedClock } from '../support/stopped-clock.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

const minute = 60_000;

/** A person whom the app knows already, one click away from a message sent and one from another submitted. */
async function aboutToSend({
  ada,
  grace,
  connect,
}: Workbench): Promise<{ click: UserAction; submission: UserAction }> {
  await connect();
  await startFrom(grace, 'PalmMarket');
  await ada.types('/sms', '+2348031234567 Hello');
  const { channel, ts } = await ada.sees('Your message is ready');
  await review(ada, { to: '+2348051234567', text: 'Hello' });
  const { id } = await ada.seesModal('Send this?');
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

describe('who was let in once', () => {
  it('gets nothing when asking from another workspace', async (test) => {
    const workbench = await startWorkbench(test);
    const { slack, ada, provider, stopApp } = workbench;
    const { click, submission } = await aboutToSend(workbench);
    const help: UserAction = {
      do: 'command',
      person: ada.id,
      channel: support,
      command: '/sms',
      text: 'help',
    };
    const before = ada.messages();
    for (const deed of [help, click, submission]) {
      const { answer } = await slack.forge(deed, { team: 'T0FOREIGN' });
      assert.ok(answer === null || answer === '', `an empty answer, not ${JSON.stringify(answer)}`);
    }
    await stopApp();
    assert.deepEqual(ada.messages(), before);
    assert.equal(provider.record.length, 0);
  });

  it('is believed to be the same for a minute, and is then asked about again', async (test) => {
    const { clock, pass } = stoppedClock();
    const { ada, slack, connect } = await startWorkbench(test, { clock });
    await connect();
    const asked = () => slack.exchanges.filter(({ what }) => what === 'users.info').length;
    const before = asked();
    await ada.types('/sms');
    await ada.seesModal('Send an SMS');
    slack.setRole(ada.id, 'guest');
    pass(minute - 1);
    await ada.fills('Route', 'Chat app');
    await ada.seesModal('Send an SMS', 'Device');
    assert.equal(asked(), before + 1);
    pass(1);
    await ada.fills('Route', 'Generic');
    await ada.seesTrouble('not open to guests');
  });

  it('is asked about again after a minute, whatever was done to the clock meanwhile', async (test) => {
    const { clock, pass, leap } = stoppedClock();
    const { grace, slack, connect } = await startWorkbench(test, { clock, transport: 'socket' });
    await connect();
    slack.setRole(grace.id, 'member');
    leap(-24 * 60 * minute);
    pass(minute);
    await grace.types('/switchboard');
    await grace.sees('Only admins of this workspace can change this');
  });

  it('is refused while there is still time to say so, if Slack is slow to tell who it is', async (test) => {
    const { ada, slack, connect } = await startWorkbench(test);
    await connect();
    const question = slack.hold('users.info');
    const began = performance.now();
    await ada.types('/sms');
    await ada.sees('Slack did not say in time who you are, so nothing was done');
    assert.ok(performance.now() - began < 3_000, 'a trigger lives for three seconds');
    question.release();
    await ada.types('/sms');
    await ada.seesModal('Send an SMS');
  });
});

const settings = async (grace: Person) => {
  await grace.types('/switchboard');
  await grace.seesModal('Switchboard');
};

describe('who was an admin when they opened the settings', () => {
  const deeds: {
    what: string;
    open: (grace: Person) => Promise<unknown>;
    act: (grace: Person) => Promise<unknown>;
  }[] = [
    {
      what: 'save defaults',
      open: async (grace) => {
        await settings(grace);
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
    { what: 'ask for the form for a key', open: settings, act: (grace) => grace.presses('Replace the key') },
    { what: 'disconnect', open: settings, act: (grace) => grace.presses('Disconnect') },
  ];

  for (const { what, open, act } of deeds) {
    it(`cannot ${what} once they are none`, async (test) => {
      const { clock, pass } = stoppedClock();
      const { grace, slack, provider, connect } = await startWorkbench(test, { clock });
      await connect();
      await open(grace);
      const before = provider.arrivals.length;
      slack.setRole(grace.id, 'member');
      pass(minute);
      await act(grace);
      await grace.seesTrouble('Only admins of this workspace can change its settings');
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

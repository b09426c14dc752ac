import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../../sandbox/lib/json.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { compose, eventually, reached, recipients, start } from '../support/campaigns.ts';
import { sendCode } from '../support/slack/otp-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { asksSlackbot } from '../support/slack/slackbot.ts';
import { send } from '../support/slack/sms-steps.ts';

interface Refusal {
  /** The provider's words, as one of its services writes them. */
  status: number;
  body: Json;
  /** What a person reads, and what they can do. */
  says: string;
  next: string;
  /** The same for a campaign, which is paused. */
  hint?: string;
  route?: 'Chat app';
}

const device = { route: 'Chat app' } as const;

/** Every row of the provider's refusal words, in the formats they arrive in. */
const refusals: Readonly<Record<string, Refusal>> = {
  Unauthorized: {
    status: 401,
    body: { error: 'Unauthorized' },
    says: 'The provider does not accept the API key.',
    next: 'Ask an admin to reconnect the provider, or your operator to check that its address begins with https.',
    hint: 'Ask an admin to reconnect the provider, or your operator to check its address, then resume.',
  },
  'Invalid api key': {
    status: 400,
    body: { code: 400, message: 'INVALID API KEY!', status: 'error' },
    says: 'The provider does not accept the API key.',
    next: 'Ask an admin to reconnect the provider',
    hint: 'Ask an admin to reconnect the provider',
  },
  'Your account is not active': {
    status: 403,
    body: { message: 'Your account is not active' },
    says: 'The provider has deactivated the account.',
    next: 'Ask the provider to activate it.',
    hint: 'Ask the provider to activate the account, then resume.',
  },
  'Insufficient balance': {
    status: 400,
    body: { comment: ['Insufficient balance'], status: 'error' },
    says: 'The balance is too low.',
    next: 'Top up the account, then try again.',
    hint: 'Top up the account, then resume.',
  },
  'You are not set up on this route': {
    status: 400,
    body: { message: 'You are not set up on this route', status: 'error' },
    says: 'This route is not active on the account.',
    next: 'Send another way, or ask the provider to activate this route.',
    hint: 'Resume once the provider has activated the route. Or cancel, and follow up on another route.',
  },
  'No Route on your account': {
    status: 400,
    body: `404 : ${JSON.stringify(JSON.stringify({ code: 404, message: 'No route on your account.' }))}`,
    says: 'This route is not active on the account.',
    next: 'Send another way, or ask the provider to activate this route.',
    hint: 'Resume once the provider has activated the route.',
  },
  'Invalid Sender Id': {
    status: 400,
    body: { message: [{ issue: 'Invalid Sender Id', path: 'from' }], status: 'error' },
    says: 'The provider does not know the sender ID, or has not approved it.',
    next: 'Choose an active sender ID, or request this one.',
    hint: 'Change the sender ID, or resume once the provider has approved it. Or cancel.',
  },
  'ApplicationSenderId not found': {
    status: 404,
    body: {
      code: 404,
      message: 'ApplicationSenderId not found for applicationId: 7 and senderName: PalmMarket',
    },
    says: 'The provider does not know the sender ID, or has not approved it.',
    next: 'Choose an active sender ID, or request this one.',
    hint: 'Change the sender ID',
  },
  'Device not found': {
    ...device,
    status: 404,
    body: { message: 'Device not found' },
    says: 'The provider can’t find the device.',
    next: 'Check the device’s name, and that it is connected in the provider’s dashboard.',
    hint: 'Change the device, or check at the provider that it is connected, then resume. Or cancel.',
  },
  'Your device has reached the daily limit': {
    ...device,
    status: 400,
    body: { message: [{ issue: 'your device has reached the daily limit.' }] },
    says: 'The device has reached its daily limit.',
    next: 'Choose another device, or wait until tomorrow.',
    hint: 'Change the device, or resume tomorrow. Or cancel.',
  },
  'Country Inactive': {
    status: 400,
    body: { message: 'Country Inactive. Contact Administrator to activate country', status: 'error' },
    says: 'The recipient’s country is not active on the account.',
    next: 'Ask the provider to activate the country.',
    hint: 'Nigeria is not active on the account.\n3 numbers are waiting: skip them and resume. Or ask the provider to activate the country, and try again.',
  },
  'Do-Not-Disturb active on phone number': {
    status: 400,
    body: { message: 'DND-Active on phone number', status: 'error' },
    says: 'The number is on Do-Not-Disturb.',
    next: 'Choose the Transactional (DND) route, which reaches it.',
  },
  'Invalid phone number': {
    status: 422,
    body: { errors: ['Invalid phone number'] },
    says: 'The provider does not accept the phone number.',
    next: 'Check the number.',
  },
};

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('words of a refusal', () => {
  it('are said in the outcome, the campaign, the history and by Slackbot, of messages and codes alike', async (test) => {
    const app = await joinTestApp(test);
    const { ada, grace, slack, provider, connect } = app;
    await connect();
    for (const [index, [name, refusal]] of Object.entries(refusals).entries()) {
      const { status, body, says, next, hint, route } = refusal;
      const from = route === undefined ? {} : { route, from: 'Palm phone' };
      const refuse = (path: string) =>
        provider.orderFault({ path, fault: { kind: 'answer', status, body }, times: Infinity });
      const said = new RegExp(`${literally(says)}[\\s\\S]*${literally(next)}`);
      const single = refuse('/api/sms/send');
      await send(ada, { to: '+2348031234567', ...from });
      await ada.seesModal('Message rejected', said);
      await ada.closes();
      if (route === undefined) {
        // A person may send ten codes a minute.
        const person = index % 2 === 0 ? ada : grace;
        await sendCode(person, 'SMS', { 'Phone number': '+2348031234568', 'Sender ID': 'PalmMarket' });
        await person.seesModal('Code rejected', said);
        await person.closes();
      }

      const listed = await asksSlackbot(slack, ada, 'history', {});
      const [, entry = ''] = /id (operation:\S+)/.exec(listed.text) ?? [];
      assert.match((await asksSlackbot(slack, ada, 'message_status', { entry })).text, said, name);

      const bulk = route === undefined ? refuse('/api/sms/send/bulk') : undefined;
      await compose(ada, { pasted: recipients(3).join(' '), name, ...from });
      await start(ada);
      const progress = hint === undefined ? '*Done:* 3 recipients' : '*Paused:* 3 recipients';
      const shown = wordsOf(await ada.sees(new RegExp(`${literally(name)}[\\s\\S]*${literally(progress)}`)));
      const counts = hint === undefined ? / · all rejected\n/ : /\n░{20} 0%\n/;
      assert.match(shown, counts, name);
      assert.ok(shown.includes(hint ?? ''), `${name}: ${shown}`);
      assert.ok(
        hint === undefined || name === 'Country Inactive' || shown.includes(says),
        `${name}: ${shown}`,
      );
      await ada.closes();
      const campaign = await asksSlackbot(slack, ada, 'campaigns', { name });
      assert.match(campaign.text, counts, name);
      assert.ok(campaign.text.includes(hint ?? ''), `${name}: ${campaign.text}`);

      await ada.types('/sms', 'history +2348031234567');
      await ada.seesModal('History');
      await ada.presses('Open');
      await ada.seesModal('Message', said);
      await ada.closes();
      await ada.closes();
      single.cancel();
      bulk?.cancel();
    }
    assert.deepEqual(provider.record, []);
  });

  it('leave a message and a campaign unconfirmed where they come with a status of success', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    const body = { code: 400, message: 'Insufficient balance', status: 'error' };
    for (const path of ['/api/sms/send', '/api/sms/send/bulk']) {
      provider.orderFault({ path, fault: { kind: 'answer', body } });
    }
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message unconfirmed', /may or may not have been sent[\s\S]*balance is too low/);
    await ada.closes();
    await compose(ada, { pasted: recipients(3).join(' ') });
    await start(ada);
    await ada.sees(/ · all unconfirmed\n/);
  });

  it('about a country offer to leave its numbers out, and the others get the campaign', async (test) => {
    const { ada, guy, slack, provider, connect, channels, app, teamId } = await joinTestApp(test);
    const own = { workspaceId: teamId, userId: ada.id, limit: 1 };
    await connect();
    slack.setRole(guy.id, 'member');
    const ghanaian = '+233241009400';
    await compose(ada, { pasted: [...recipients(3), ghanaian].join(' ') });
    await start(ada, channels.support);
    await ada.sees(
      /\*Paused:\* 4 recipients[\s\S]*Ghana is not active on the account\.\n1 number is waiting: skip it/,
    );
    await ada.sees(`<@${ada.id}> Your campaign is paused: country not active.`);
    await ada.closes();
    await guy.presses('Skip this number');
    await guy.sees('This campaign is gone, or isn’t yours.');
    const state = async () => (await app().services.campaigns.listRecent(own))[0]?.state;
    const asked = provider.arrivals.length;
    await ada.presses('Try again');
    await eventually(() => provider.arrivals.length > asked, 'another request');
    await eventually(async () => (await state()) === 'paused', 'the campaign to be paused once more');
    await ada.presses('Skip this number');
    await ada.sees(/\*Done:\* 4 recipients[\s\S]*3 sent · 1 rejected/);
    await ada.presses('Follow up…');
    await ada.seesModal('Follow-up', 'Rejected (1)');
    assert.deepEqual(reached(provider.record), recipients(3).sort());
  });

  it('about a sender ID let it be changed, and the campaign go on from another once that is reviewed', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    const fault = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;
    provider.orderFault({ path: '/api/sms/send/bulk', fault });
    await compose(ada, { pasted: recipients(3).join(' '), text: 'Our shop opens at nine' });
    await start(ada);
    await ada.sees(/\*Paused:\* 3 recipients[\s\S]*Change the sender ID/);
    await ada.closes();
    await ada.presses('Change sender ID');
    await ada.seesModal('Sender ID', 'From *PalmMarket* so far. Nothing is sent until you resume.');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.submits();
    assert.equal(ada.errorBeside('Sender ID'), 'Choose another one.');
    await ada.fills('Sender ID', 'PalmCare');
    await ada.submits();
    await ada.seesModal(
      'Resume campaign',
      /3 recipients get it now[\s\S]*PalmCare[\s\S]*Our shop opens at nine/,
    );
    assert.deepEqual(provider.record, []);
    await ada.closes();
    await ada.sees('The sender ID is now *PalmCare*. Review the campaign before you resume it.');
    await ada.presses('Resume');
    await ada.seesModal('Resume campaign', 'PalmCare');
    await ada.submits();
    await ada.sees('*Done:* 3 recipients');
    assert.deepEqual(
      provider.record.map(({ from }) => from),
      ['PalmCare'],
    );
  });
});

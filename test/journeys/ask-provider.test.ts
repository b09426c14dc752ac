import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import type { Json } from '../../sandbox/lib/json.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, recipients, start } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { reasonOf } from '../support/refusals.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportHeader } from '../support/reports/signed-report.ts';
import { codeReceived, sendCode, sender, verify } from '../support/slack/otp-steps.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

const env = profileEnv({ historyPath: '/api/sms/inbox' });

async function sends(person: SlackUser): Promise<void> {
  await send(person, { to: '+2348031234567' });
  await person.seesModal('Message sent');
  await person.closes();
}

async function opensEntry(person: SlackUser): Promise<void> {
  await person.seesHome('See all activity');
  await person.presses('See all activity');
  await person.seesModal('History');
  await person.presses('Open');
}

const asked = ({ provider }: TestWorkspace) =>
  provider.arrivals.filter(({ operation }) => operation === 'beyond.history').length;

/** An error of the provider that names the message all the same. */
const unclear = (answer: Json): Json => ({
  ...z.object({ message_id: z.string() }).parse(answer),
  code: 400,
  message: 'Something went wrong',
});

/** Breaks an entry of the next answer. */
function breaksEntry({ provider }: TestWorkspace): void {
  const body = (answer: Json) => [null, answer].flat();
  provider.orderFault({ operation: 'beyond.history', fault: { kind: 'reshape', body } });
}
const leftOut = '1 entry can’t be read and isn’t shown';

describe('Check delivery status', () => {
  it('shows on an entry of the history what the provider says, in its own words', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, provider, connect } = testApp;
    await connect();
    await sends(ada);
    await opensEntry(ada);
    provider.orderFault({
      operation: 'beyond.history',
      fault: {
        kind: 'reshape',
        body: (answer) =>
          JSON.parse(JSON.stringify(answer).replace(/"status":"[^"]*"/, '"status":"Stuck <in> transit"')),
      },
    });
    await ada.presses('Check delivery status');
    await ada.seesModal(
      'Provider’s answer',
      /The provider says: \*Stuck &lt;in&gt; transit\*.*to \+234 803 123 4567 · sent <!date/s,
    );
    await ada.closes();
    provider.orderFault({ operation: 'beyond.history', fault: { kind: 'reshape', body: () => [] } });
    await ada.presses('Check delivery status');
    await ada.seesModal('Provider’s answer', 'That doesn’t mean that nothing was sent');
    assert.equal(asked(testApp), 2);
  });

  it('is not offered for a code that is verified, which has arrived', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, connect } = testApp;
    await connect();
    await sendCode(ada, 'SMS', { 'Phone number': '+2348031234567', ...sender });
    await ada.seesModal('Code sent');
    await ada.presses('Verify');
    await verify(ada, codeReceived(testApp));
    await ada.seesModal('Verified');
    await ada.closes();
    assert.doesNotMatch(wordsOf(await ada.sees('*Verified:*')), /Check delivery status/);
  });

  it('stores the answer as what is known of the message, like a report', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, app, provider, connect, teamId } = testApp;
    await connect();
    await sends(ada);
    provider.orderFault({
      operation: 'beyond.history',
      fault: {
        kind: 'reshape',
        body: (answer) =>
          JSON.parse(JSON.stringify(answer).replace(/"status":"[^"]*"/, '"status":"Delivered"')),
      },
    });
    await opensEntry(ada);
    await ada.presses('Check delivery status');
    await ada.seesModal('Provider’s answer', 'The provider says: *Delivered*');
    const reader = { workspaceId: teamId, userId: ada.id, scope: 'own' } as const;
    const { entries } = await app().services.history.page(reader, { limit: 1 });
    assert.partialDeepStrictEqual(entries, [
      { kind: 'operation', deliveries: [{ state: 'delivered', status: 'Delivered', source: 'history' }] },
    ]);
    await ada.closes();
    await opensEntry(ada);
    await ada.seesModal(/.*/, /[Dd]elivered/);
  });

  it('is refused for what somebody else sent, except to an admin, who sees masked numbers; where it is off there is no button', async (test) => {
    const testApp = await startTestApp(test, { env });
    const { ada, grace, app, connect } = testApp;
    await connect();
    await sends(ada);
    await opensEntry(grace);
    await grace.presses('Check delivery status');
    const ofColleague = await grace.seesModal('Provider’s answer', 'to +234803•••4567');
    assert.doesNotMatch(wordsOf(ofColleague.view), /803.123/);
    await sends(grace);
    const { entries } = await app().services.history.page(
      { workspaceId: 'T0SWITCH', userId: 'U0ADMIN', scope: 'own' },
      { limit: 1 },
    );
    const [entry] = entries;
    assert.ok(entry?.kind === 'operation');
    const reader = { workspaceId: 'T0SWITCH', userId: 'U0AGENT', scope: 'own' } as const;
    const { kind } = await reasonOf(app().services.providerHistory.ask(reader, entry.operation.id));
    assert.deepEqual([kind, asked(testApp)], ['gone', 1]);
    await testApp.stopApp();
    await testApp.startApp({ PROVIDER_PROFILE: '' });
    await sends(ada);
    await opensEntry(ada);
    await ada.seesModal(/.*/, 'Delivery status can’t be checked');
  });

  it('resolves an unconfirmed message that an unclear answer names', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, provider, connect } = testApp;
    await connect();
    provider.orderFault({ operation: 'messages.send', fault: { kind: 'reshape', body: unclear } });
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message unconfirmed');
    const first = await ada.sees(/may or may not have been sent/);
    provider.orderFault({
      operation: 'beyond.history',
      fault: {
        kind: 'reshape',
        body: (answer) =>
          JSON.parse(JSON.stringify(answer).replace(/"status":"[^"]*"/, '"status":"Message Sent"')),
      },
    });
    await ada.presses('Check delivery status');
    await ada.seesModal('Provider’s answer', /The provider says: .*\+234\s803\s123\s4567/s);
    const told = await ada.sees(
      /Update on an unconfirmed message[\s\S]*On its way[\s\S]*the provider’s history/,
    );
    assert.equal(asked(testApp), 1);
    assert.equal(provider.record.length, 1);
    await ada.closes();
    await ada.presses('Check delivery status');
    await ada.seesModal('Provider’s answer', 'The provider says: *Delivered*');
    const changed = await ada.sees(/Update on an unconfirmed message[\s\S]*\*Delivered\*/);
    assert.equal(changed.ts, told.ts);
    const shown = ada.messages().filter(({ ts }) => ts === first.ts || ts === told.ts);
    assert.doesNotMatch(shown.map(wordsOf).join(), /On its way|may or may not/);
  });

  it('resolves an unconfirmed message once a report names one that may be it, and shows nothing of that', async (test) => {
    const both = profileEnv({ historyPath: '/api/sms/inbox', reportSignature: { header: reportHeader } });
    const testApp = await joinTestApp(test, { env: both });
    const { ada, provider, connect } = testApp;
    await connect();
    const address = await makesReportAddress(testApp);
    provider.orderFault({ operation: 'messages.send', fault: { kind: 'cut_after' } });
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message unconfirmed');
    await ada.presses('Check delivery status');
    await ada.seesModal('Provider’s answer', 'it never confirmed this message’s ID');
    await ada.closes();
    assert.equal(asked(testApp), 0);
    const [message] = provider.record;
    const report = { message_id: message?.id, receiver: '+2348031234567', status: 'DELIVERED' };
    assert.equal(await postReport(address, JSON.stringify(report), { key: provider.account.key }), 200);
    breaksEntry(testApp);
    await ada.presses('Check delivery status');
    const { view } = await ada.seesModal(
      'Provider’s answer',
      new RegExp(`We asked about 1 reported message[\\s\\S]*${leftOut}`),
    );
    assert.doesNotMatch(JSON.stringify(view), /The provider says|•••/);
    await ada.sees(/Update on an unconfirmed message/);
    assert.equal(asked(testApp), 1);
  });

  it('asks about each message of a campaign, whose counts follow, until all is known', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, provider, connect } = testApp;
    await connect();
    await compose(ada, { file: ['Phone', ...recipients(250)].join('\n') });
    await start(ada);
    const told = await ada.sees(/\*Done:\* 250 recipients/);
    await ada.closes();
    const refused = provider.orderFault({
      operation: 'beyond.history',
      fault: { kind: 'status', status: 401, message: 'Invalid api key' },
      times: Infinity,
    });
    await ada.presses('Check delivery status');
    await ada.seesModal(/.*/, /API key/);
    await ada.closes();
    refused.cancel();
    const before = asked(testApp);
    breaksEntry(testApp);
    await ada.presses('Check delivery status');
    await ada.seesModal(
      'Provider’s answer',
      new RegExp(`We asked about 3 messages\\. The provider knows all of them[\\s\\S]*${leftOut}`),
    );
    assert.equal(asked(testApp) - before, 3);
    const counted = await ada.sees(/ · all delivered\n/);
    assert.equal(counted.ts, told.ts);
    assert.doesNotMatch(wordsOf(counted), /Check delivery status/);
  });

  it('resolves the unconfirmed recipients of a campaign', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, provider, connect } = testApp;
    await connect();
    provider.orderFault({ operation: 'messages.sendBulk', fault: { kind: 'reshape', body: unclear } });
    await compose(ada, { pasted: recipients(3).join(' ') });
    await start(ada);
    await ada.sees(/\*Done:\* 3 recipients[\s\S]*all unconfirmed/);
    await ada.closes();
    await ada.presses('Check delivery status');
    await ada.seesModal('Provider’s answer', 'We asked about 1 message.');
    await ada.sees(
      /The messages to 3 unconfirmed recipients were \*sent\* after all, according to the provider’s history/,
    );
    await ada.sees(/ · all delivered\n/);
    assert.equal(provider.record.length, 1, 'nobody is sent to again');
  });
});

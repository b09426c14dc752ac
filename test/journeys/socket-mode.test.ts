import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { describe, it, type TestContext } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, eventually, reached, recipients, start } from '../support/campaigns.ts';
import { replyEnv, switchesOnReplies } from '../support/reports/reply-steps.ts';
import { createEsim, scanFile } from '../support/slack/esim-steps.ts';
import { codeReceived, number, sendCode, sender, verify } from '../support/slack/otp-steps.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { steppedTimers } from '../support/stepped-timers.ts';
import { runningClock } from '../support/time/test-clock.ts';

// Reports and campaigns are what one app is set up for, so that all of these share it.
const env = { ...replyEnv, CAMPAIGN_MESSAGES_PER_SECOND: '10000' };
/** Resolves once the program has a socket open, which Slack knows a little earlier. */
const nextSocketOpen = () =>
  new Promise<void>((resolve) => subscribe('undici:websocket:open', () => resolve()));

const join = (test: TestContext) => joinTestApp(test, { transport: 'socket', env });

describe('over Socket Mode', () => {
  it('the provider is connected by the form of /switchboard, which says beside the field what is wrong with a key', async (test) => {
    const { ada, grace, provider } = await join(test);
    await ada.seesHome('Ask an admin of this workspace');
    await grace.seesHome('Not connected.');
    await grace.presses('Connect');
    await grace.fills('API key', 'sandbox-key-that-is-wrong');
    await grace.submits();
    assert.match(grace.errorBeside('API key') ?? '', /provider does not know this key/);
    await grace.fills('API key', provider.account.key);
    await grace.submits();
    await grace.seesModal('Switchboard', provider.account.key.slice(-4));
    await grace.closes();
    await ada.seesHome('*Connected*');
  });

  it('a message goes from its form to sent, and is in the history and on Home', async (test) => {
    const { ada, provider, connect } = await join(test);
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.sees('*Sent* to');
    assert.deepEqual(
      provider.record.map(({ to }) => to),
      [['2348031234567']],
    );
    await ada.closes();
    await ada.types('/sms', 'history');
    await ada.seesModal('History', 'SMS to');
    await ada.closes();
    await ada.seesHome(/SMS to \+234 803 123 4567.*\n.* · \*Sent\*/);
  });

  it('a campaign goes to each recipient of its file once, and ends as a summary', async (test) => {
    const { ada, provider, connect, channels } = await join(test);
    await connect();
    const numbers = recipients(20);
    await compose(ada, { file: ['Phone', ...numbers].join('\n') });
    await start(ada, channels.support);
    await ada.sees(/\*Done:\* 20 recipients/);
    assert.deepEqual(reached(provider.record), numbers.toSorted());
  });

  it('a one-time code is sent, and verified once', async (test) => {
    const testApp = await join(test);
    const { ada, connect } = testApp;
    await connect();
    await sendCode(ada, 'SMS', { ...number, ...sender });
    await ada.seesModal('Code sent');
    await ada.presses('Verify');
    await verify(ada, codeReceived(testApp));
    await ada.seesModal('Verified');
  });

  it('Do-Not-Disturb is checked and a number looked up, each at a command', async (test) => {
    const { ada, connect } = await join(test);
    await connect();
    await ada.types('/dnd-check', '+2348031234567 08051234568');
    await ada.sees('1 of 2 on Do-Not-Disturb');
    await ada.types('/number', '+2348031234567');
    assert.equal((await ada.sees('Route to use')).onlyFor, ada.id);
  });

  it('sender IDs are listed and filtered, and one is requested once, however often its form is submitted', async (test) => {
    const { ada, provider, connect } = await join(test);
    await connect();
    await ada.types('/sender-id');
    await ada.seesModal('Sender IDs', 'PalmMarket* · active');
    await ada.fills('Status', 'Pending');
    await ada.seesModal('Sender IDs', /\n1 total/);
    await ada.presses('Request a sender ID');
    await ada.seesModal('Sender ID request');
    await ada.fills('Sender ID', 'PalmFresh');
    await ada.fills('Sample message', 'Fresh mangoes have arrived at our shop');
    await ada.fills('Company', 'Palm Market Ltd');
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('Sender ID requested', 'Requested: PalmFresh');
    assert.equal(provider.arrivals.filter(({ operation }) => operation === 'senderIds.request').length, 1);
  });

  it('contacts are listed, and one is added', async (test) => {
    const testApp = await join(test);
    const { ada } = testApp;
    await addPhonebook(testApp);
    await ada.types('/contacts');
    await ada.seesModal('Contacts', /\n18 total/);
    await ada.closes();
    await ada.types('/contacts', 'add 0803 111 0999');
    await ada.seesModal('New contact', '0803 111 0999');
    await ada.submits();
    await ada.seesModal('Added', '+234803•••0999 in *Loyal customers*');
  });

  it('an eSIM is created, and its QR image comes to the user', async (test) => {
    const testApp = await join(test);
    const { ada, provider, connect } = testApp;
    await connect();
    const iccid = await createEsim(testApp);
    await ada.presses('Show status');
    await ada.seesModal('eSIM status', iccid);
    await ada.presses('Get QR image');
    await ada.seesModal('QR image', 'in your messages with Switchboard');
    const [{ smdp, activationCode } = assert.fail('no eSIM')] = provider.account.sims;
    assert.equal(await scanFile(testApp), `LPA:1$${smdp}$${activationCode}`);
  });

  it('a shortcut opens the form with the numbers of a message, which offers its sender IDs', async (test) => {
    const { ada, grace, connect } = await join(test);
    await connect();
    await ada.uses('Send SMS to…', await grace.says('Please call Ada on 0803 123 4567'));
    const form = await ada.seesModal('New message');
    assert.match(JSON.stringify(form.values), /\+234 803 123 4567/);
    assert.deepEqual(await ada.searches('Sender ID', 'palmm'), ['PalmMarket', 'palmm']);
  });

  it('a message that comes in over HTTP is answered in the thread of its number', async (test) => {
    const app = await join(test);
    const { ada, provider, channels } = app;
    await switchesOnReplies(app);
    await provider.receive({ from: '2348051234500', to: '55019', text: 'Is my order ready?' });
    const head = await ada.sees(/Message from \+234805•••4500[\s\S]*Is my order ready\?/);
    await ada.presses('Reply');
    await ada.seesModal('Reply');
    await ada.fills('Message', 'Yes, come by.');
    await ada.submits();
    await ada.seesModal('Message review', 'Yes, come by.');
    await ada.submits();
    const outcome = await ada.sees(/Yes, come by\.[\s\S]*\*Sent\*/);
    assert.deepEqual([outcome.channel, outcome.threadTs], [channels.support, head.ts]);
    assert.match(wordsOf(outcome), new RegExp(`Sent by <@${ada.id}>`));
  });
});

describe('a socket on which Slack falls silent', () => {
  it('is given up without a hello, and opened again', async (test) => {
    const timers = steppedTimers({ from: 10_000 });
    const { ada, slack, log } = await startTestApp(test, { transport: 'socket', timers });
    slack.withholdHello();
    const isOpen = nextSocketOpen();
    slack.dropSockets();
    await slack.until(() => slack.sockets === 0, 'the loss of the socket');
    await slack.until(() => slack.sockets === 1, 'a socket without a hello');
    assert.doesNotMatch(log(), /is open again/);
    await isOpen;
    await timers.advance(15_000);
    await eventually(() => log().includes('the socket to Slack is open again'), 'a hello');
    assert.match(log(), /a new socket got no hello from Slack and was dropped/);
    await ada.types('/sms', 'help');
    await ada.sees('with /sms');
  });

  it('keeps a program that starts from failing: it opens another one', async (test) => {
    const timers = steppedTimers({ from: 10_000 });
    const { ada, slack, stopApp, startApp } = await startTestApp(test, { transport: 'socket', timers });
    await stopApp();
    slack.withholdHello();
    const isOpen = nextSocketOpen();
    const started = startApp();
    await isOpen;
    await timers.advance(15_000);
    await started;
    await ada.types('/sms', 'help');
    await ada.sees('with /sms');
  });

  it('makes the program unready after a minute without a ping, alive as before, and ready at the next ping', async (test) => {
    const { clock, pass } = runningClock();
    const { slack, url } = await startTestApp(test, { transport: 'socket', clock });
    const status = async (path: string) => (await fetch(`${url()}${path}`)).status;
    slack.setPings(false);
    assert.deepEqual([await status('/readyz'), await status('/healthz')], [200, 200]);
    pass(61_000);
    assert.deepEqual([await status('/readyz'), await status('/healthz')], [503, 200]);
    slack.setPings(true);
    await eventually(async () => (await status('/readyz')) === 200, 'a ping');
  });
});

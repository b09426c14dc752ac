import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp, type TestApp, transports } from '../support/app/test-app.ts';
import { readDataFiles } from '../support/privacy/data-files.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';
import { startFrom } from '../support/slack/sms-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runningClock } from '../support/time/test-clock.ts';

/** Returns the code of the last request to a path of the provider, which only the customer would see. */
function codeReceived({ provider }: TestApp, path = '/api/sms/send'): string {
  const body = provider.arrivals.findLast((arrival) => arrival.path === path)?.body;
  const text = JSON.stringify(body);
  return /"(?:code|sms)":"\D*(\d{4,8})\b/.exec(text)?.[1] ?? assert.fail(`no code in a request to ${path}`);
}

/** Returns a code of the same length that is not this one. */
const wrongFor = (code: string) => (code.startsWith('0') ? '1' : '0') + code.slice(1);

/** What the form says of each way to send. */
const ways: Record<string, string> = {
  SMS: 'Text: “Your code is',
  'Voice call': 'A call reads the code out',
  Email: 'Email address',
  'Chat app': 'The provider has to activate this route first',
  'SMS, code made by the provider': 'You can’t verify this code in Slack',
  'In-app token': 'The code is shown to you once',
};

async function chooseWay(person: SlackUser, way: string): Promise<void> {
  await person.fills('Send by', way);
  await person.seesModal('One-time code', ways[way]);
}

async function sendCode(person: SlackUser, way: string, fields: Record<string, string>): Promise<void> {
  await person.types('/otp');
  await person.seesModal('One-time code');
  await chooseWay(person, way);
  for (const [label, value] of Object.entries(fields)) {
    await person.fills(label, value);
  }
  await person.submits();
}

async function verify(person: SlackUser, typed: string): Promise<string | undefined> {
  await person.fills('Code from the customer', typed);
  await person.submits();
  return person.errorBeside('Code from the customer');
}

/** Opens the workspace's settings of codes as an admin, and submits changes. */
async function changeCodes(admin: SlackUser, fields: Record<string, string>): Promise<void> {
  await admin.types('/switchboard');
  await admin.seesModal('Switchboard');
  await admin.presses('One-time codes');
  await admin.seesModal('One-time codes');
  for (const [label, value] of Object.entries(fields)) {
    await admin.fills(label, value);
  }
  await admin.submits();
}

/** Changes the settings of codes, and closes them. */
async function setCodes(admin: SlackUser, fields: Record<string, string>): Promise<void> {
  await changeCodes(admin, fields);
  await admin.seesModal('One-time codes', 'Saved.');
  await admin.closes();
  await admin.closes();
}

const number = { 'Phone number': '+2348031234568' };
const sender = { 'Sender ID': 'PalmMarket' };
const arrivalsOf = ({ provider }: TestApp, name: string) =>
  provider.arrivals.filter(({ operation }) => operation === name);

for (const transport of transports) {
  describe(`/otp, over ${transport}`, () => {
    it('sends a code by SMS that nobody sees, and reports match, wrong and used', async (test) => {
      const testApp = await startTestApp(test, { transport });
      const { ada, provider, connect, log } = testApp;
      await connect();
      await ada.types('/otp', '+234 803 123 4568');
      await ada.seesModal('One-time code', ways.SMS);
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.submits();
      await ada.seesModal('Code accepted', 'code for +234803•••4568 by SMS.');
      const code = codeReceived(testApp);
      assert.equal(code.length, 6);
      assert.partialDeepStrictEqual(provider.record.at(-1), {
        to: ['2348031234568'],
        from: 'PalmMarket',
        channel: 'dnd',
        text: `Your code is ${code}. It expires in 10 minutes.`,
      });
      assert.ok(!JSON.stringify([ada.messages(), ada.modal(), log()]).includes(code));

      await ada.presses('Verify');
      assert.equal(await verify(ada, '12'), 'The code has 6 digits.');
      assert.equal(await verify(ada, `${code.slice(0, 5)}o`), 'The code has 6 digits.');
      assert.equal(await verify(ada, wrongFor(code)), 'Wrong: 2 attempts left.');
      await verify(ada, `${code.slice(0, 3)} ${code.slice(3)}`);
      await ada.seesModal('Verified', 'This code is now used.');
      await ada.closes();

      await ada.types('/otp', 'verify');
      await verify(ada, code);
      await ada.seesModal('Not verified', 'Already used.');
    });

    it('has the provider make and send a code on the DND route, and says that it can’t be verified', async (test) => {
      const { ada, provider, connect } = await startTestApp(test, { transport });
      await connect();
      await sendCode(ada, 'SMS, code made by the provider', { ...number, ...sender });
      const { view } = await ada.seesModal('Code accepted', 'You can’t verify this code in Slack.');
      assert.doesNotMatch(JSON.stringify(view), /"text":"Verify"/);
      assert.partialDeepStrictEqual(provider.arrivals.at(-1)?.body, {
        channel: 'dnd',
        pin_length: 6,
        pin_time_to_live: 10,
        pin_attempts: 3,
        pin_type: 'NUMERIC',
        pin_placeholder: '<code>',
        message_text: 'Your code is <code>. It expires in 10 minutes.',
      });
    });
  });
}

describe('/otp', () => {
  it('sends what the workspace has chosen: text, lifetime, length, attempts, sender', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await setCodes(grace, {
      'Sender ID': 'PalmCare',
      'Text of the SMS': 'Palm: <code>, for <minutes> minutes',
      Length: '8',
      'Expires after (minutes)': '1',
      'Max attempts': '1',
      Characters: 'Letters and digits',
    });
    await ada.types('/otp');
    const { view } = await ada.seesModal('One-time code', '8 digits · expires after 1 minute · 1 attempt');
    assert.doesNotMatch(JSON.stringify(view), /Sender ID/);
    await ada.fills('Phone number', '+2348031234568');
    await ada.submits();
    await ada.seesModal('Code accepted', 'Expires after 1 minute ·');
    const code = codeReceived(testApp);
    assert.equal(code.length, 8);
    assert.partialDeepStrictEqual(provider.record.at(-1), {
      from: 'PalmCare',
      text: `Palm: ${code}, for 1 minute`,
    });
    await ada.presses('Verify');
    await verify(ada, wrongFor(code));
    await ada.seesModal('Not verified', 'No attempts left.');

    await sendCode(ada, 'SMS, code made by the provider', number);
    await ada.seesModal('Code accepted');
    assert.partialDeepStrictEqual(arrivalsOf(testApp, 'tokens.send').at(-1)?.body, {
      pin_length: 8,
      pin_time_to_live: 1,
      pin_attempts: 1,
      pin_type: 'ALPHANUMERIC',
      from: 'PalmCare',
      message_text: 'Palm: <code>, for 1 minute',
    });
  });

  it('refuses a text that is not true beside its field, and changes nothing then', async (test) => {
    const { ada, grace, connect } = await startTestApp(test);
    await connect();
    await changeCodes(grace, {
      'Text of the SMS': 'Your code is <code>. It is good for 10 minutes.',
      'Expires after (minutes)': '5',
    });
    assert.equal(
      grace.errorBeside('Text of the SMS'),
      'The text says 10 minutes, but codes expire after 5. Write <minutes> for the number.',
    );
    await grace.fills('Text of the SMS', 'Your code is on its way');
    await grace.fills('Length', '9');
    await grace.fills('Expires after (minutes)', '61');
    await grace.fills('Max attempts', '0');
    await grace.fills('Send by', 'Email');
    await grace.submits();
    assert.match(grace.errorBeside('Length') ?? '', /4 to 8/);
    assert.match(grace.errorBeside('Expires after (minutes)') ?? '', /1 to 60/);
    assert.match(grace.errorBeside('Max attempts') ?? '', /1 to 10/);
    assert.match(grace.errorBeside('Send by') ?? '', /need an email configuration/);
    await grace.fills('Length', '4');
    await grace.fills('Expires after (minutes)', '60');
    await grace.submits();
    assert.match(grace.errorBeside('Text of the SMS') ?? '', /Write <code> where the code goes/);
    await ada.types('/otp');
    await ada.seesModal('One-time code', '6 digits · expires after 10 minutes · 3 attempts');
  });

  it('opens with the workspace’s way, and then with the way and sender ID that the person used last', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await setCodes(grace, { 'Send by': 'Voice call' });
    await ada.types('/otp', '+2348031234568');
    await ada.seesModal('One-time code', 'A call reads the code out');
    await chooseWay(ada, 'SMS');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.submits();
    await ada.seesModal('Code accepted');
    await ada.closes();
    await ada.types('/otp', '+2348031234568');
    await ada.seesModal('One-time code', 'PalmMarket');
    await ada.submits();
    await ada.seesModal('Code accepted');
    assert.deepEqual(
      provider.record.map(({ from }) => from),
      ['PalmMarket', 'PalmMarket'],
    );
    await ada.closes();
    await sendCode(ada, 'In-app token', number);
    await ada.seesModal('In-app token');
    await ada.closes();
    await ada.types('/otp');
    await ada.seesModal('One-time code', ways.SMS);
  });

  it('does not remember what a code was rejected with', async (test) => {
    const { ada, provider, connect } = await startTestApp(test);
    await connect();
    provider.orderFault({
      operation: 'messages.send',
      fault: { kind: 'status', status: 404, message: 'ApplicationSenderId not found' },
    });
    await sendCode(ada, 'SMS', { ...number, ...sender });
    await ada.seesModal('Code rejected', 'The provider has not approved the sender ID.');
    await ada.closes();
    await ada.types('/otp');
    const { view } = await ada.seesModal('One-time code', ways.SMS);
    assert.doesNotMatch(JSON.stringify(view), /PalmMarket/);
  });

  it('uses the default sender ID of messages where there is none for codes', async (test) => {
    const { ada, grace, provider, connect } = await startTestApp(test);
    await connect();
    await startFrom(grace, 'PalmMarket');
    await sendCode(ada, 'SMS', number);
    await ada.seesModal('Code accepted');
    assert.equal(provider.record.at(-1)?.from, 'PalmMarket');
  });

  it('offers codes by email once there is a configuration, and tells an admin where to add one', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await ada.types('/otp');
    const { view } = await ada.seesModal('One-time code');
    assert.doesNotMatch(JSON.stringify(view), /email/i);
    await ada.closes();
    await grace.types('/otp');
    await grace.seesModal('One-time code', 'an email configuration for codes by email under `/switchboard`');
    await grace.closes();

    await setCodes(grace, { 'Email configuration': provider.account.emailConfigurations[0] ?? '' });
    await sendCode(ada, 'Email', { 'Email address': 'customer@example.com' });
    await ada.seesModal('Code accepted', 'c•••@example.com');
    await ada.presses('Verify');
    await verify(ada, codeReceived(testApp, '/api/email/otp/send'));
    await ada.seesModal('Verified');
    await ada.closes();

    await ada.types('/otp');
    await ada.seesModal('One-time code', 'Email address');
    await setCodes(grace, { 'Email configuration': '' });
    await ada.fills('Email address', 'customer@example.com');
    await ada.submits();
    assert.match(ada.errorBeside('Send by') ?? '', /Choose another way/);
    await ada.closes();
    await ada.types('/otp');
    await ada.seesModal('One-time code', 'Phone number');
  });

  it('redacts the email address in the provider’s message', async (test) => {
    const { ada, grace, provider, connect } = await startTestApp(test);
    await connect();
    await setCodes(grace, { 'Email configuration': provider.account.emailConfigurations[0] ?? '' });
    provider.orderFault({
      operation: 'tokens.email',
      fault: { kind: 'status', status: 400, message: 'Customer@example.com takes no mail' },
    });
    await sendCode(ada, 'Email', { 'Email address': 'customer@example.com' });
    const notice = await ada.sees('takes no mail');
    assert.doesNotMatch(JSON.stringify(notice), /customer/i);
  });

  it('reports a code by chat app as not sent when the provider refuses the route', async (test) => {
    const { ada, connect } = await startTestApp(test);
    await connect();
    await sendCode(ada, 'Chat app', { ...number, Device: 'Front desk' });
    await ada.seesModal('Code rejected', 'was not sent.');
  });

  it('shows an in-app token once, to the user who requested it, and nowhere else', async (test) => {
    const { ada, slack, connect, log } = await startTestApp(test);
    await connect();
    await sendCode(ada, 'In-app token', number);
    const shown = await ada.seesModal('In-app token', /The token for \+234803•••4568 is/);
    const token = /`(\w+)`/.exec(JSON.stringify(shown.view))?.[1] ?? '';
    assert.match(token, /^\d{6}$/);
    await ada.sees('Token for +234803•••4568 made.');
    assert.ok(!JSON.stringify([ada.messages(), log()]).includes(token));
    await slack.redeliver('view_submission');
    await ada.seesModal('In-app token', 'It was shown once');
  });

  it('names each fault beside its field', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await sendCode(ada, 'SMS', { 'Phone number': '12345', 'Sender ID': 'Palm Market' });
    assert.match(ada.errorBeside('Phone number') ?? '', /“12345” is too short/);
    assert.match(ada.errorBeside('Sender ID') ?? '', /no spaces/);
    await chooseWay(ada, 'Chat app');
    await ada.fills('Device', ' ');
    await ada.submits();
    assert.match(ada.errorBeside('Device') ?? '', /name of the device/);
    assert.equal(arrivalsOf(testApp, 'messages.send').length, 0);
  });

  it('uses a code up after three wrong attempts, also concurrent ones, and sends another', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    await sendCode(ada, 'SMS', { ...number, ...sender });
    await ada.seesModal('Code accepted');
    const code = codeReceived(testApp);
    await ada.presses('Verify');
    await ada.fills('Code from the customer', wrongFor(code));
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.submits();
    await ada.seesModal('Not verified', 'No attempts left.');
    await ada.presses('Send another code');
    await ada.seesModal('One-time code', '+2348031234568');
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('Code accepted');
    assert.deepEqual(
      provider.record.map(({ to }) => to),
      [['2348031234568'], ['2348031234568']],
    );
    const other = codeReceived(testApp);
    await ada.presses('Verify');
    await verify(ada, other);
    await ada.seesModal('Verified');
  });

  it('reports a code as expired after its lifetime, also across a restart, and sends another', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock });
    const { ada, grace, connect, restart } = testApp;
    await connect();
    await setCodes(grace, { 'Expires after (minutes)': '5' });
    await sendCode(ada, 'Voice call', number);
    await ada.seesModal('Code accepted');
    await restart();
    pass(5 * 60_000 + 1);
    await ada.presses('Verify');
    await verify(ada, codeReceived(testApp, '/api/sms/otp/call'));
    await ada.seesModal('Not verified', 'Expired.');
    await ada.presses('Send another code');
    await ada.seesModal('One-time code', /\+2348031234568[\s\S]*A call reads the code out/);
    await ada.submits();
    await ada.seesModal('Code accepted', 'voice call');
    await ada.presses('Verify');
    await verify(ada, codeReceived(testApp, '/api/sms/otp/call'));
    await ada.seesModal('Verified');
  });

  it('lets only its sender verify a code', async (test) => {
    const { ada, grace, connect } = await startTestApp(test);
    await connect();
    await sendCode(ada, 'Voice call', number);
    await ada.seesModal('Code accepted');
    await grace.types('/otp', 'verify');
    await grace.seesModal('Verification', 'no code in the last hour');
  });

  it('keeps the entered values while another way is chosen', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await ada.types('/otp', '+2348031234568');
    await ada.seesModal('One-time code');
    await ada.fills('Sender ID', 'PalmMarket');
    await chooseWay(ada, 'Chat app');
    await ada.fills('Device', 'Front desk');
    await chooseWay(ada, 'Voice call');
    await chooseWay(ada, 'SMS, code made by the provider');
    await ada.submits();
    await ada.seesModal('Code accepted');
    assert.partialDeepStrictEqual(arrivalsOf(testApp, 'tokens.send')[0]?.body, {
      to: '2348031234568',
      from: 'PalmMarket',
    });
  });

  it('keeps nothing of a code that was not sent: neither its hash nor the number', async (test) => {
    const { ada, provider, app, connect } = await startTestApp(test);
    await connect();
    provider.orderFault({
      operation: 'messages.send',
      fault: { kind: 'status', status: 400, message: 'No' },
    });
    await sendCode(ada, 'SMS', { ...number, ...sender });
    const { view } = await ada.seesModal('Code rejected');
    assert.doesNotMatch(JSON.stringify(view), /Expires after|"Verify"/);
    const { operations, otp } = app().services;
    const [{ workspaceId, key } = assert.fail('no operation')] = await operations.recent(
      'T0SWITCH',
      ada.id,
      1,
    );
    assert.deepEqual(await otp.verify(workspaceId, key, ada.id, '123456'), { kind: 'gone' });
    assert.equal((await otp.formAgain(workspaceId, ada.id, key)).number, '');
  });

  for (const [way, name, path] of [
    ['SMS', 'messages.send', '/api/sms/send'],
    ['Voice call', 'tokens.call', '/api/sms/otp/call'],
  ] as const) {
    it(`sends one code by ${way} when the form is submitted twice, and keeps an unconfirmed one verifiable`, async (test) => {
      const testApp = await startTestApp(test);
      const { ada, grace, connect } = testApp;
      await connect();
      await setCodes(grace, sender);
      await ada.types('/otp', '+2348030009003');
      await ada.seesModal('One-time code');
      await chooseWay(ada, way);
      await Promise.all([ada.submits(), ada.submits()]);
      await ada.seesModal('Code unconfirmed', 'may or may not have been sent');
      assert.equal(arrivalsOf(testApp, name).length, 1);
      await ada.presses('Verify');
      await verify(ada, codeReceived(testApp, path));
      await ada.seesModal('Verified');
    });
  }

  it('leaves no code or token in plain text, in any way to send: on disk, in the log, in a message', async (test) => {
    const dataDir = temporaryFolder(test);
    const testApp = await startTestApp(test, { dataDir });
    const { ada, grace, slack, provider, connect, log } = testApp;
    const { key, senderIds, emailConfigurations } = provider.fullAccount;
    await connect(key);
    await setCodes(grace, {
      'Sender ID': senderIds[0]?.sender_id ?? '',
      Length: '8',
      'Email configuration': emailConfigurations[0] ?? '',
    });
    const codes: string[] = [];
    const ways = [
      ['SMS', number, '/api/sms/send'],
      ['Voice call', number, '/api/sms/otp/call'],
      ['Email', { 'Email address': 'customer@example.com' }, '/api/email/otp/send'],
      ['Chat app', { ...number, Device: 'Front desk' }, '/api/sms/send'],
    ] as const;
    for (const [way, fields, path] of ways) {
      await sendCode(ada, way, fields);
      await ada.seesModal('Code accepted');
      codes.push(codeReceived(testApp, path));
      await ada.closes();
    }
    await sendCode(ada, 'In-app token', number);
    const shown = JSON.stringify((await ada.seesModal('In-app token', /The token for/)).view);
    codes.push(/`(\d{8})`/.exec(shown)?.[1] ?? assert.fail('no token is shown'));
    await ada.closes();

    const inSlack = ['U0AGENT', 'U0ADMIN', 'U0GUEST'].map((id) => JSON.stringify(slack.snapshot(id)));
    const atRest = readDataFiles(dataDir).map(({ bytes }) => bytes.toString('latin1'));
    for (const code of codes) {
      const alone = new RegExp(`(?<!\\d)${code}(?!\\d)`);
      for (const text of [...inSlack, ...atRest, log()]) {
        assert.ok(!alone.test(text), `${code} stands in ${text.length} characters`);
      }
    }
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startTestApp, type TestApp, transports } from '../support/app/test-app.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';
import { startFrom } from '../support/slack/sms-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runningClock } from '../support/time/test-clock.ts';

/** Returns the code of the last request to a path of the provider, which only the customer would see. */
function codeReceived({ provider }: TestApp, path: string): string {
  const body = provider.arrivals.findLast((arrival) => arrival.path === path)?.body;
  const text = JSON.stringify(body);
  return /"(?:code|sms)":"(\d+)"/.exec(text)?.[1] ?? assert.fail(`no code in a request to ${path}`);
}

/** The note that the form shows with the fields of each way to send. */
const ways: Record<string, string> = {
  SMS: 'Only the provider can verify this code',
  'Voice call': 'Ask the customer to read it back',
  'E-mail': 'Ask the customer to read it back',
  'Chat app': 'has to be activated by its support',
  'In-app token': 'Nothing is sent to the customer',
};

async function chooseWay(person: SlackUser, way: string): Promise<void> {
  await person.fills('How', way);
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

const number = { 'Phone number': '+2348031234568' };

for (const transport of transports) {
  describe(`/otp, over ${transport}`, () => {
    it('calls with a code that nobody sees, and reports match, wrong and used', async (test) => {
      const testApp = await startTestApp(test, { transport });
      const { ada, connect, log } = testApp;
      await connect();
      await sendCode(ada, 'Voice call', number);
      await ada.seesModal('Done', 'by voice call');
      const code = codeReceived(testApp, '/api/sms/otp/call');
      assert.equal(code.length, 6);
      assert.ok(!JSON.stringify([ada.messages(), ada.modal(), log()]).includes(code));

      await ada.presses('Verify');
      await ada.fills('What the customer reads back', code === '000000' ? '111111' : '000000');
      await ada.submits();
      assert.match(ada.errorBeside('What the customer reads back') ?? '', /Wrong: 2 attempts left/);
      await ada.fills('What the customer reads back', `${code.slice(0, 3)} ${code.slice(3)}`);
      await ada.submits();
      await ada.seesModal('It matches', 'Match.');
      await ada.closes();

      await ada.types('/otp', 'verify');
      await ada.fills('What the customer reads back', code);
      await ada.submits();
      await ada.seesModal('Not verified', 'Used.');
    });

    it('has the provider send a code by SMS on the DND route, and says who can verify it', async (test) => {
      const { ada, provider, connect } = await startTestApp(test, { transport });
      await connect();
      await sendCode(ada, 'SMS', { ...number, 'Sender ID': 'PalmMarket' });
      await ada.seesModal('Done', 'Only the provider can verify it');
      const { body } = provider.arrivals.at(-1) ?? {};
      assert.partialDeepStrictEqual(body, {
        channel: 'dnd',
        pin_length: 6,
        pin_time_to_live: 10,
        pin_attempts: 3,
        pin_type: 'NUMERIC',
        pin_placeholder: '<code>',
      });
    });
  });
}

describe('/otp', () => {
  it('sends a code by e-mail with the workspace’s configuration, and says where to make one', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await sendCode(ada, 'E-mail', { 'E-mail address': 'customer@example.com' });
    assert.match(ada.errorBeside('E-mail address') ?? '', /Make one on the provider’s dashboard/);
    await ada.closes();

    await grace.types('/switchboard');
    await grace.fills('E-mail configuration', provider.account.emailConfigurations[0] ?? '');
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    await sendCode(ada, 'E-mail', { 'E-mail address': 'customer@example.com' });
    await ada.seesModal('Done', 'c•••@example.com');
    await ada.presses('Verify');
    await ada.fills('What the customer reads back', codeReceived(testApp, '/api/email/otp/send'));
    await ada.submits();
    await ada.seesModal('It matches');
  });

  it('redacts the e-mail address in the provider’s message', async (test) => {
    const { ada, grace, provider, connect } = await startTestApp(test);
    await connect();
    await grace.types('/switchboard');
    await grace.fills('E-mail configuration', provider.account.emailConfigurations[0] ?? '');
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    provider.orderFault({
      operation: 'tokens.email',
      fault: { kind: 'status', status: 400, message: 'Customer@example.com takes no mail' },
    });
    await sendCode(ada, 'E-mail', { 'E-mail address': 'customer@example.com' });
    const notice = await ada.sees('takes no mail');
    assert.doesNotMatch(JSON.stringify(notice), /customer/i);
  });

  it('reports a code by chat app as not sent when the provider refuses the route', async (test) => {
    const { ada, connect } = await startTestApp(test);
    await connect();
    await sendCode(ada, 'Chat app', { ...number, Device: 'Front desk' });
    await ada.seesModal('Not sent', 'was not sent.');
  });

  it('shows an in-app token once, to the user who requested it, and nowhere else', async (test) => {
    const { ada, slack, connect, log } = await startTestApp(test);
    await connect();
    await sendCode(ada, 'In-app token', number);
    const shown = await ada.seesModal('Done', /The token for \+234803•••4568 is/);
    const token = /`(\w+)`/.exec(JSON.stringify(shown.view))?.[1] ?? '';
    assert.match(token, /^\d{6}$/);
    await ada.sees('A token for +234803•••4568 was made');
    assert.ok(!JSON.stringify([ada.messages(), log()]).includes(token));
    await slack.redeliver('view_submission');
    await ada.seesModal('Done', 'It was shown once');
  });

  it('names each fault beside its field', async (test) => {
    const { ada, provider, connect } = await startTestApp(test);
    await connect();
    const before = provider.arrivals.length;
    await sendCode(ada, 'SMS', {
      'Phone number': '12345',
      'Sender ID': 'PalmMarket',
      Message: 'Your code is on its way',
      'Length of the code': '9',
      'Minutes it is good for': '61',
      Attempts: '0',
    });
    assert.match(ada.errorBeside('Phone number') ?? '', /“12345” is too short/);
    assert.match(ada.errorBeside('Message') ?? '', /must hold <code>/);
    assert.doesNotMatch(JSON.stringify(ada.modal()), /Generic/);
    assert.match(ada.errorBeside('Length of the code') ?? '', /4 to 8/);
    assert.match(ada.errorBeside('Minutes it is good for') ?? '', /0 to 60/);
    assert.match(ada.errorBeside('Attempts') ?? '', /1 to 10/);
    assert.equal(provider.arrivals.filter(({ path }) => path.includes('otp')).length, 0);
    assert.ok(provider.arrivals.length <= before + 1);
  });

  it('uses a code up after three wrong attempts, also concurrent ones', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await sendCode(ada, 'Voice call', number);
    await ada.seesModal('Done');
    const code = codeReceived(testApp, '/api/sms/otp/call');
    await ada.presses('Verify');
    await ada.fills('What the customer reads back', code === '000000' ? '111111' : '000000');
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.submits();
    await ada.seesModal('Not verified', 'Used up.');
  });

  it('reports a code as expired after its lifetime, also across a restart', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock });
    const { ada, connect, restart } = testApp;
    await connect();
    await sendCode(ada, 'Voice call', { ...number, 'Minutes it is good for': '5' });
    await ada.seesModal('Done');
    await restart();
    pass(5 * 60_000 + 1);
    await ada.presses('Verify');
    await ada.fills('What the customer reads back', codeReceived(testApp, '/api/sms/otp/call'));
    await ada.submits();
    await ada.seesModal('Not verified', 'Expired.');
  });

  it('lets only its sender verify a code', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, grace, connect } = testApp;
    await connect();
    await sendCode(ada, 'Voice call', number);
    await ada.seesModal('Done');
    await grace.types('/otp', 'verify');
    await grace.seesModal('Verify a code', 'no code in the last hour');
  });

  it('keeps the entered values while another way is chosen', async (test) => {
    const { ada, grace, provider, connect } = await startTestApp(test);
    await connect();
    await startFrom(grace, 'PalmMarket');
    await ada.types('/otp', '+2348031234568');
    await ada.seesModal('One-time code');
    await ada.fills('Message', 'Palm: <code>');
    await chooseWay(ada, 'E-mail');
    await ada.fills('E-mail address', 'ngozi@example.com');
    await ada.fills('Minutes it is good for', '20');
    await chooseWay(ada, 'SMS');
    await ada.submits();
    await ada.seesModal('Done');
    const [request] = provider.arrivals.filter(({ operation }) => operation === 'tokens.send');
    assert.partialDeepStrictEqual(request?.body, {
      to: '2348031234568',
      from: 'PalmMarket',
      message_text: 'Palm: <code>',
      pin_time_to_live: 20,
    });
  });

  it('calls once when the form is submitted twice, and keeps an unconfirmed code verifiable', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    await ada.types('/otp', '+2348030009003');
    await ada.seesModal('One-time code');
    await chooseWay(ada, 'Voice call');
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('Not confirmed', 'may or may not have been sent');
    assert.equal(provider.arrivals.filter(({ path }) => path === '/api/sms/otp/call').length, 1);
    await ada.presses('Verify');
    await ada.fills('What the customer reads back', codeReceived(testApp, '/api/sms/otp/call'));
    await ada.submits();
    await ada.seesModal('It matches');
  });

  it('leaves no code or token in plain text, in any way to send: on disk, in the log, in a message', async (test) => {
    const dataDir = temporaryFolder(test);
    const testApp = await startTestApp(test, { dataDir });
    const { ada, grace, slack, provider, connect, log } = testApp;
    const { key, emailConfigurations } = provider.fullAccount;
    await connect(key);
    await grace.types('/switchboard');
    await grace.fills('E-mail configuration', emailConfigurations[0] ?? '');
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    const long = { 'Length of the code': '8' };
    const codes: string[] = [];
    const ways = [
      ['Voice call', { ...number, ...long }, '/api/sms/otp/call'],
      ['E-mail', { 'E-mail address': 'customer@example.com', ...long }, '/api/email/otp/send'],
      ['Chat app', { ...number, Device: 'Front desk' }, '/api/sms/send'],
    ] as const;
    for (const [way, fields, path] of ways) {
      await sendCode(ada, way, fields);
      await ada.seesModal('Done');
      codes.push(codeReceived(testApp, path));
      await ada.closes();
    }
    await sendCode(ada, 'In-app token', { ...number, ...long });
    const shown = JSON.stringify((await ada.seesModal('Done', /The token for/)).view);
    codes.push(/`(\d{8})`/.exec(shown)?.[1] ?? assert.fail('no token is shown'));
    await ada.closes();

    const inSlack = ['U0AGENT', 'U0ADMIN', 'U0GUEST'].map((id) => JSON.stringify(slack.snapshot(id)));
    const atRest = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
    for (const code of codes) {
      const alone = new RegExp(`(?<!\\d)${code}(?!\\d)`);
      for (const text of [...inSlack, ...atRest, log()]) {
        assert.ok(!alone.test(text), `${code} stands in ${text.length} characters`);
      }
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { readDataFiles } from '../support/privacy/data-files.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv, reportOf } from '../support/reports/signed-report.ts';
import {
  arrivalsOf,
  chooseWay,
  codeReceived,
  number,
  sendCode,
  sender,
  setCodes,
  verify,
  ways,
  wrongFor,
} from '../support/slack/otp-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runningClock } from '../support/time/test-clock.ts';

forOneAndThreeInstances(() => {
  describe('/otp', () => {
    it('has the card of a number say that it was verified and when, to colleagues too, and by whom to admins', async (test) => {
      const app = await joinTestApp(test);
      const { ada, grace, connect } = app;
      await connect();
      await sendCode(grace, 'SMS', { ...number, ...sender });
      await grace.seesModal('Code sent');
      await ada.types('/number', number['Phone number']);
      await ada.sees(
        /:outbox_tray: One-time code from a colleague\n<!date[^>]*> · \*Code sent\* · not verified yet/,
      );
      await grace.presses('Verify');
      await verify(grace, codeReceived(app));
      await grace.seesModal('Verified');
      await ada.types('/number', number['Phone number']);
      const verified =
        /:white_check_mark: One-time code from a colleague\n<!date[^>]*> · \*Verified\* <!date[^>]*>\n/;
      assert.ok(!wordsOf(await ada.sees(verified)).includes(grace.id));
      await ada.types('/sms', `history ${number['Phone number']}`);
      await ada.seesModal('History', verified);
      await grace.closes();
      await grace.types('/number', number['Phone number']);
      await grace.sees(/\*Verified\* <!date[^>]*> · by <@U0ADMIN\w*>/);
    });

    it('is verified from the history too, by who sent it, once its window was closed', async (test) => {
      const app = await joinTestApp(test);
      const { ada, grace, connect } = app;
      await connect();
      await sendCode(ada, 'SMS', { ...number, ...sender });
      await ada.seesModal('Code sent');
      await ada.closes();
      await grace.types('/sms', 'history');
      await grace.seesModal('History', 'not verified yet');
      await grace.presses('Open');
      assert.doesNotMatch(
        wordsOf((await grace.seesModal('One-time code', 'not verified yet')).view),
        /^Verify$/m,
      );
      await ada.types('/sms', 'history');
      await ada.seesModal('History', 'not verified yet');
      await ada.presses('Open');
      await ada.seesModal('One-time code', /not verified yet[\s\S]*\nVerify\nCall instead\n/);
      await ada.presses('Verify');
      await verify(ada, codeReceived(app));
      await ada.seesModal('Verified');
    });

    it('sends a code by SMS that nobody sees, verifies it, and says so wherever the send is shown', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, provider, connect, log } = testApp;
      await connect();
      await ada.types('/otp', '+234 803 123 4568');
      await ada.seesModal('One-time code', ways.SMS);
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.submits();
      await ada.seesModal('Code sent', /Code sent\* to \+234 803 123 4568 by SMS\.[\s\S]*Expires at /);
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
      assert.equal(await verify(ada, wrongFor(code)), 'Wrong code, 2 attempts left.');
      await verify(ada, `${code.slice(0, 3)} ${code.slice(3)}`);
      await ada.seesModal('Verified', /Verified:\* \+234 803 123 4568, <!date[^>]*date_short_pretty/);
      await ada.closes();

      const { blocks } = await ada.sees(
        /\*Verified:\* \+234 803 123 4568, <!date[^>]*date_short_pretty.* by <@U0AGENT\w*> after 1 wrong guess\./,
      );
      assert.doesNotMatch(JSON.stringify(blocks), /"Verify"|Expires|Send another/);
      await ada.types('/otp', 'verify');
      await ada.seesModal('Verification', /no codes to verify[\s\S]*\/sms history/);
      await ada.closes();
      await ada.types('/sms', 'history +2348031234568');
      await ada.seesModal('History', /Verified\* .* by <@U0AGENT\w*> after 1 wrong guess/);
      await ada.presses('Open');
      await ada.seesModal('One-time code', /Verified\* .* by <@U0AGENT\w*> after 1 wrong guess/);
      assert.ok(!JSON.stringify([ada.messages(), ada.modal(), log()]).includes(code));
    });

    it('verifies a code once when it is read back twice at the same moment, and says when', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, app, connect, teamId } = testApp;
      await connect();
      await sendCode(ada, 'SMS', { ...number, ...sender });
      await ada.seesModal('Code sent');
      const code = codeReceived(testApp);
      await ada.closes();
      await ada.types('/otp', 'verify');
      await ada.seesModal('Verification', /Sent at \d+:\d\d [AP]M, expires at \d+:\d\d [AP]M/);
      await ada.fills('Code from the customer', code);
      await Promise.all([ada.submits(), ada.submits()]);
      await ada.seesModal(/^(Already v|V)erified$/, /erified.*<!date/);
      await ada.closes();
      const { audit } = app().services;
      const { entries } = await audit.page({ workspaceId: teamId, actions: ['otp.verify'], limit: 9 });
      assert.partialDeepStrictEqual(entries, [
        { userId: ada.id, outcome: 'done', subject: '+234803•••4568' },
      ]);
      assert.equal(JSON.parse(entries[0]?.details ?? '{}').wrongGuesses, 0);
      await ada.sees(/\*Verified:\* \+234 803 123 4568, .* by <@U0AGENT\w*>\./);
    });

    it('has the provider make and send a code on the DND route, and says that it can’t be verified', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await sendCode(ada, 'SMS (provider’s code)', { ...number, ...sender });
      const { view } = await ada.seesModal('Code sent', 'You can’t verify it in Slack.');
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

    it('redacts the email address in the provider’s message', async (test) => {
      const { ada, grace, provider, connect } = await joinTestApp(test);
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
      const { ada, connect } = await joinTestApp(test);
      await connect();
      await sendCode(ada, 'Chat app', { ...number, Device: 'Front desk' });
      await ada.seesModal('Code rejected', 'was not sent.');
    });

    it('shows an in-app token once, to the user who requested it, and nowhere else', async (test) => {
      const { ada, slack, provider, connect, log } = await joinTestApp(test);
      await connect();
      await sendCode(ada, 'In-app token', number);
      const shown = await ada.seesModal('In-app token', /The token for \+234 803 123 4568 is/);
      const token = /`(\w+)`/.exec(JSON.stringify(shown.view))?.[1] ?? '';
      assert.match(token, /^\d{6}$/);
      await ada.sees('Token created* for +234 803 123 4568.');
      assert.ok(!JSON.stringify([ada.messages(), log()]).includes(token));
      await slack.redeliver('view_submission');
      await ada.seesModal('In-app token', 'It was shown once');
      await ada.closes();
      const body = { message: 'Insufficient balance' };
      provider.orderFault({ operation: 'tokens.generate', fault: { kind: 'answer', body } });
      await sendCode(ada, 'In-app token', number);
      await ada.seesModal(
        'In-app token unconfirmed',
        /may or may not have been created[\s\S]*No customer has it: you can create another/,
      );
    });

    it('names each fault beside its field', async (test) => {
      const testApp = await joinTestApp(test);
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

    it('says in a channel that the caller was verified, with the number masked, and lists the other live code', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, grace, connect } = testApp;
      await connect();
      await sendCode(ada, 'SMS', { ...number, ...sender });
      await ada.seesModal('Code sent');
      await ada.closes();
      await sendCode(ada, 'Voice call', { ...number, 'Who sees the result': 'In a channel' });
      await ada.seesModal('Code sent', 'The result is in');
      await ada.presses('Verify');
      await verify(ada, codeReceived(testApp, '/api/sms/otp/call'));
      await ada.seesModal('Verified');
      await ada.closes();
      const { text } = await grace.sees(/\*Verified:\* \+234803•••4568, .* by <@U0AGENT\w*>\./);
      assert.doesNotMatch(text, /2348031234568/);
      await ada.types('/otp', `verify ${codeReceived(testApp)}`);
      const { view } = await ada.seesModal('Verification', '+234 803 123 4568, SMS');
      assert.doesNotMatch(JSON.stringify(view), /voice call/);
      await verify(ada, codeReceived(testApp));
      await ada.seesModal('Verified');
    });

    it('calls instead, once however often it is pressed, and with the key of then: either code verifies, guesses are counted together, and the first right one ends both', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, grace, provider, connect, log } = testApp;
      await connect(provider.account.key);
      await sendCode(ada, 'SMS', { ...number, ...sender });
      await ada.seesModal('Code sent');
      await ada.presses('Verify');
      assert.equal(await verify(ada, wrongFor(codeReceived(testApp))), 'Wrong code, 2 attempts left.');
      await ada.closes();
      await connect(provider.fullAccount.key);
      const { balance } = provider.account;
      await Promise.all([ada.presses('Call instead'), ada.presses('Call instead')]);
      await ada.seesModal('Code sent', /Code sent\* to \+234 803 123 4568 by voice call\./);
      const [bySms, byCall] = [codeReceived(testApp), codeReceived(testApp, '/api/sms/otp/call')];
      assert.equal(arrivalsOf(testApp, 'tokens.call').length, 1);
      assert.equal(provider.account.balance, balance);
      assert.ok(!JSON.stringify([ada.messages(), ada.modal(), log()]).includes(byCall));
      while (ada.modal() !== undefined) {
        await ada.closes();
      }
      await grace.types('/otp', 'verify');
      await grace.seesModal('Verification', 'no codes to verify');
      await ada.types('/otp', 'verify');
      await ada.seesModal('Verification', 'voice call');
      assert.equal(await verify(ada, wrongFor(byCall)), 'Wrong code, 1 attempt left.');
      await verify(ada, bySms);
      await ada.seesModal('Verified');
      await ada.closes();
      await ada.sees(/\*Verified:\* \+234 803 123 4568, .* after 2 wrong guesses\./);
      await ada.sees(/\*Verified:\* \+234 803 123 4568, .* after 1 wrong guess\./);
      await ada.types('/otp', 'verify');
      await ada.seesModal('Verification', 'no codes to verify');
    });

    it('calls in place of a code in the chat app, and says when, where the last code was seconds ago', async (test) => {
      const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
      const testApp = await startTestApp(test, { clock, limits: { numbers: { 'codes.again': 30 } } });
      const { ada, provider, connect } = testApp;
      await connect(provider.fullAccount.key);
      await sendCode(ada, 'Chat app', { ...number, Device: 'Palm' });
      await ada.seesModal('Code sent');
      pass(5_000);
      await ada.presses('Call instead');
      await ada.seesModal(
        'Not called yet',
        /got a code in the last 30 seconds\.\* Nothing was sent\. .* in 2\d seconds/,
      );
      assert.equal(arrivalsOf(testApp, 'tokens.call').length, 0);
      pass(25_000);
      await ada.presses('Call instead');
      await ada.seesModal('Code sent', /by voice call/);
      assert.equal(arrivalsOf(testApp, 'tokens.call').length, 1);
      await ada.presses('Verify');
      await verify(ada, codeReceived(testApp, '/api/sms/otp/call'));
      await ada.seesModal('Verified');
    });

    it('offers the call first where the SMS was not delivered, and leaves it unconfirmed where no answer comes', async (test) => {
      const testApp = await joinTestApp(test, { env: reportEnv });
      const { ada, provider, connect, url } = testApp;
      await connect();
      const { pathname } = new URL(await makesReportAddress(testApp));
      await sendCode(ada, 'SMS', { ...number, ...sender });
      await ada.seesModal('Code sent');
      await ada.closes();
      const report = reportOf(testApp, { status: 'Expired' });
      assert.equal(await postReport(`${url()}${pathname}`, report, provider.account), 200);
      const { blocks } = await ada.sees(/\*Code not delivered\* to \+234 803 123 4568/);
      assert.match(JSON.stringify(blocks), /"Call instead".*"primary".*"Verify"/);
      provider.orderFault({ operation: 'tokens.call', fault: { kind: 'cut_before' } });
      for (const _ of [1, 2]) {
        await ada.presses('Call instead');
        await ada.seesModal('Code unconfirmed', 'by voice call');
        await ada.closes();
      }
      assert.equal(arrivalsOf(testApp, 'tokens.call').length, 1);
      await ada.presses('Verify');
      await verify(ada, codeReceived(testApp));
      await ada.seesModal('Verified');
      await ada.closes();
      const ended = await ada.sees(/\*Verified:\* \+234 803 123 4568/);
      assert.doesNotMatch(JSON.stringify(ended.blocks), /"Verify"|Call instead/);
    });

    it('is verified, in the history, where the message that sent the code is gone', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, slack, connect } = testApp;
      await connect();
      await sendCode(ada, 'SMS', { ...number, ...sender });
      await ada.seesModal('Code sent');
      slack.fault('chat.update', { error: 'message_not_found' });
      await ada.presses('Verify');
      await verify(ada, codeReceived(testApp));
      await ada.seesModal('Verified');
      await ada.closes();
      await ada.types('/sms', 'history +2348031234568');
      await ada.seesModal('History', /Verified\* .* by <@/);
    });

    it('uses a code up after three wrong attempts, also concurrent ones, and sends another', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, provider, connect } = testApp;
      await connect();
      await sendCode(ada, 'SMS', { ...number, ...sender });
      await ada.seesModal('Code sent');
      const code = codeReceived(testApp);
      await ada.presses('Verify');
      await ada.fills('Code from the customer', wrongFor(code));
      await Promise.all([ada.submits(), ada.submits()]);
      await ada.submits();
      await ada.seesModal('Not verified', 'No attempts left after 3 wrong guesses.');
      const { blocks } = await ada.sees(', no attempts left after 3 wrong guesses.');
      assert.match(JSON.stringify(blocks), /Not verified:[\s\S]*Send another code/);
      assert.doesNotMatch(JSON.stringify(blocks), /"Verify"/);
      await ada.presses('Send another code');
      await ada.seesModal('One-time code', '+2348031234568');
      await Promise.all([ada.submits(), ada.submits()]);
      await ada.seesModal('Code sent');
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
      await ada.seesModal('Code sent');
      await restart();
      pass(5 * 60_000 + 1);
      await ada.presses('Verify');
      await ada.seesModal('Not verified', /Expired .*\* The code was not verified/);
      const { blocks } = await ada.sees('the code for +234 803 123 4568 by voice call, not verified.');
      assert.match(JSON.stringify(blocks), /\*Expired:\*[\s\S]*Expired at [\s\S]*Send another code/);
      await ada.presses('Send another code');
      await ada.seesModal('One-time code', /\+2348031234568[\s\S]*A call reads the code out/);
      await ada.submits();
      await ada.seesModal('Code sent', 'voice call');
      await ada.presses('Verify');
      await verify(ada, codeReceived(testApp, '/api/sms/otp/call'));
      await ada.seesModal('Verified');
    });

    it('lets only its sender verify a code', async (test) => {
      const { ada, grace, connect } = await joinTestApp(test);
      await connect();
      await sendCode(ada, 'Voice call', number);
      await ada.seesModal('Code sent');
      await grace.types('/otp', 'verify');
      await grace.seesModal('Verification', 'no codes to verify');
    });

    it('keeps the entered values while another way is chosen', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, connect } = testApp;
      await connect();
      await ada.types('/otp', '+2348031234568');
      await ada.seesModal('One-time code');
      await ada.fills('Sender ID', 'PalmMarket');
      await chooseWay(ada, 'Chat app');
      await ada.fills('Device', 'Front desk');
      await chooseWay(ada, 'Voice call');
      await chooseWay(ada, 'SMS (provider’s code)');
      await ada.submits();
      await ada.seesModal('Code sent');
      assert.partialDeepStrictEqual(arrivalsOf(testApp, 'tokens.send')[0]?.body, {
        to: '2348031234568',
        from: 'PalmMarket',
      });
    });

    it('sends another in place of one that was not sent, from its form, and keeps nothing of the code', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, provider, app, connect, teamId } = testApp;
      await connect();
      provider.orderFault({
        operation: 'messages.send',
        fault: { kind: 'status', status: 400, message: 'No' },
      });
      await sendCode(ada, 'SMS', { ...number, ...sender });
      const { view } = await ada.seesModal('Code rejected');
      assert.doesNotMatch(JSON.stringify(view), /Expires at|"Verify"|sent <!date/);
      const { operations, otp } = app().services;
      const [{ workspaceId, key } = assert.fail('no operation')] = await operations.recent(teamId, ada.id, 1);
      assert.deepEqual((await otp.verify(workspaceId, key, ada.id, '123456')).verification, { kind: 'gone' });
      assert.equal((await otp.formAgain(workspaceId, 'U0OTHER', key)).number, '');
      await ada.presses('Send again');
      await ada.seesModal('One-time code', /2348031234568[\s\S]*PalmMarket/);
      await ada.closes();
      await ada.types('/sms', 'history +2348031234568');
      await ada.seesModal('History');
      await ada.presses('Open');
      await ada.seesModal('One-time code', 'Rejected');
      await ada.presses('Send again');
      await ada.seesModal('One-time code', '2348031234568');
      assert.equal(arrivalsOf(testApp, 'messages.send').length, 1, 'nothing is sent by the button');
      await ada.submits();
      await ada.seesModal('Code sent');
      const { blocks } = await ada.sees(/\*Code sent\* to/);
      assert.doesNotMatch(JSON.stringify(blocks), /Send again/);
    });

    for (const [way, name, path] of [
      ['SMS', 'messages.send', '/api/sms/send'],
      ['Voice call', 'tokens.call', '/api/sms/otp/call'],
    ] as const) {
      it(`sends one code by ${way} when the form is submitted twice, and keeps an unconfirmed one verifiable`, async (test) => {
        const testApp = await joinTestApp(test);
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
        await ada.seesModal('Code sent');
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
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import {
  arrivalsOf,
  changeCodes,
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
import { startFrom } from '../support/slack/sms-steps.ts';

describe('what a workspace and a person choose for codes', () => {
  it('sends what the workspace has chosen: text, lifetime, length, attempts, sender', async (test) => {
    const testApp = await joinTestApp(test);
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
    await ada.seesModal('Code sent', /Expires at [^·]* ·/);
    const code = codeReceived(testApp);
    assert.equal(code.length, 8);
    assert.partialDeepStrictEqual(provider.record.at(-1), {
      from: 'PalmCare',
      text: `Palm: ${code}, for 1 minute`,
    });
    await ada.presses('Verify');
    await verify(ada, wrongFor(code));
    await ada.seesModal('Not verified', 'No attempts left after 1 wrong guess.');

    await sendCode(ada, 'SMS (provider’s code)', number);
    await ada.seesModal('Code sent');
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
    const { ada, grace, connect } = await joinTestApp(test);
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
    const testApp = await joinTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await setCodes(grace, { 'Send by': 'Voice call' });
    await ada.types('/otp', '+2348031234568');
    await ada.seesModal('One-time code', 'A call reads the code out');
    await chooseWay(ada, 'SMS');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.submits();
    await ada.seesModal('Code sent');
    await ada.closes();
    await ada.types('/otp', '+2348031234568');
    await ada.seesModal('One-time code', 'PalmMarket');
    await ada.submits();
    await ada.seesModal('Code sent');
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

  it('sends nothing where an admin has changed them since, and the form comes back with what is true now', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await ada.types('/otp', '+2348031234568');
    await ada.fills('Sender ID', 'PalmMarket');
    await setCodes(grace, { 'Sender ID': 'PalmCare', 'Expires after (minutes)': '5' });
    await ada.submits();
    const { view } = await ada.seesModal(
      'One-time code',
      /\*Nothing was sent\.\* An admin has changed the settings of codes[\s\S]*From \*PalmCare\*[\s\S]*expires after 5 minutes/,
    );
    assert.match(JSON.stringify(view), /\+2348031234568/);
    assert.equal(provider.record.length, 0);
    await ada.submits();
    await ada.seesModal('Code sent', 'Expires at ');
    assert.deepEqual(
      provider.record.map(({ from }) => from),
      ['PalmCare'],
    );
  });

  it('asks for the sender ID that an admin has removed since', async (test) => {
    const { ada, grace, provider, connect, app, teamId } = await joinTestApp(test);
    await connect();
    await setCodes(grace, sender);
    await ada.types('/otp', '+2348031234568');
    await ada.seesModal('One-time code', 'From *PalmMarket*');
    const { workspaces } = app().services;
    const { senderId: _, ...others } = await workspaces.codeDefaults(teamId);
    await workspaces.saveCodeDefaults(teamId, others, grace.id);
    await ada.submits();
    await ada.seesModal('One-time code', /Nothing was sent[\s\S]*Sender ID/);
    await ada.fills('Sender ID', 'PalmCare');
    await ada.submits();
    await ada.seesModal('Code sent');
    assert.equal(provider.record.at(-1)?.from, 'PalmCare');
  });

  it('warns of a sender ID that isn’t active before it is used, once', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    await sendCode(ada, 'SMS', { ...number, 'Sender ID': 'NotMine' });
    const { view } = await ada.seesModal(
      'One-time code',
      /Nothing was sent[\s\S]*The sender ID isn’t active/,
    );
    assert.match(wordsOf(view), /Send anyway/);
    await ada.fills('Sender ID', 'NotOurs');
    await ada.submits();
    await ada.seesModal('One-time code', /Nothing was sent[\s\S]*NotOurs/);
    assert.equal(arrivalsOf(testApp, 'messages.send').length, 0);
    await ada.submits();
    await ada.seesModal('Code rejected', 'The provider does not know the sender ID');
    assert.equal(provider.record.length, 0);
    await ada.closes();
    // An inactive sender ID doesn't matter for a code without one.
    await sendCode(ada, 'Voice call', number);
    await ada.seesModal('Code sent');
  });

  it('does not remember what a code was rejected with', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    provider.orderFault({
      operation: 'messages.send',
      fault: { kind: 'status', status: 404, message: 'ApplicationSenderId not found' },
    });
    await sendCode(ada, 'SMS', { ...number, ...sender });
    await ada.seesModal('Code rejected', 'The provider does not know the sender ID, or has not approved it.');
    await ada.closes();
    await ada.types('/otp');
    const { view } = await ada.seesModal('One-time code', ways.SMS);
    assert.doesNotMatch(JSON.stringify(view), /PalmMarket/);
  });

  it('uses the default sender ID of messages where there is none for codes', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    await startFrom(grace, 'PalmMarket');
    await sendCode(ada, 'SMS', number);
    await ada.seesModal('Code sent');
    assert.equal(provider.record.at(-1)?.from, 'PalmMarket');
  });

  it('offers codes by email once there is a configuration, and tells an admin where to add one', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await ada.types('/otp');
    const { view } = await ada.seesModal('One-time code');
    assert.doesNotMatch(JSON.stringify(view), /email/i);
    await ada.closes();
    await grace.types('/otp');
    await grace.seesModal(
      'One-time code',
      'an email configuration (for codes by email) under `/switchboard`',
    );
    await grace.closes();

    await setCodes(grace, { 'Email configuration': provider.account.emailConfigurations[0] ?? '' });
    await sendCode(ada, 'Email', { 'Email address': 'customer@example.com' });
    await ada.seesModal('Code sent', 'c•••@example.com');
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
});

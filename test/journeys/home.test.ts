import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, eventually, followUp, recipients, start } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { startReports } from '../support/reports/report-messages.ts';
import { reportEnv } from '../support/reports/signed-report.ts';
import { createEsim } from '../support/slack/esim-steps.ts';
import { codeReceived, number, sendCode, sender, verify } from '../support/slack/otp-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

const inNaira = { env: profileEnv({ currency: 'NGN' }) };
/** What the menu opens. */
const more = [
  ['Campaigns', 'Campaigns'],
  ['Contacts', 'Contacts'],
  ['Do-not-contact list', 'Do-not-contact list'],
  ['Sender IDs', 'Sender IDs'],
  ['eSIM plans', 'eSIM plans'],
] as const;
/** Of a modal that is past the form, the review and the wait. */
const outcome = /^(?!New message$|Message$|Message review$|Create |Creating)/;

describe('Home', () => {
  it('shows members and admins what to do while no key is connected', async (test) => {
    const { ada, grace, provider } = await joinTestApp(test);
    await ada.seesHome('Ask an admin of this workspace');
    await grace.seesHome('Not connected.');
    await grace.presses('Connect');
    await grace.fills('API key', provider.account.key);
    await grace.submits();
    await grace.seesModal('Switchboard', 'to send the first message');
    await grace.closes();
    await ada.seesHome('*Connected*');
  });

  it('opens each feature, and shows the last outcomes and the last known balance', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.seesHome('Nothing yet.');
    await ada.presses('Check Do-Not-Disturb');
    await ada.seesModal('Do-Not-Disturb check');
    await ada.closes();
    for (const [option, title] of more) {
      await ada.presses(option);
      await ada.seesModal(title);
      await ada.closes();
    }
    await ada.presses('Send SMS');
    await ada.seesModal('New message');
    await ada.closes();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal(outcome);
    const home = await ada.seesHome(/:outbox_tray: SMS to \+234 803 123 4567.*\n.* · \*Sent\*/);
    assert.match(home, /Balance 24,995\.75 \(<!date/);
  });

  it('has a button to verify a code while the person has a live one', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    assert.doesNotMatch(await ada.seesHome('Send one-time code'), /Verify code/);
    await sendCode(ada, 'SMS', { ...number, ...sender });
    await ada.seesModal('Code sent');
    await ada.closes();
    await ada.seesHome('Verify code');
    await ada.presses('Verify code');
    await verify(ada, codeReceived(testApp));
    await ada.seesModal('Verified');
    await ada.closes();
    await ada.seesHome(/^(?![\s\S]*Verify code)[\s\S]*Send one-time code/);
  });

  it('says where help is', async (test) => {
    const { ada } = await joinTestApp(test);
    await ada.seesHome('For help, type `/sms help` in any channel.');
  });

  it('has ten buttons at most, and those of admins behind Settings', async (test) => {
    const { ada, grace, slack, connect } = await joinTestApp(test);
    await connect();
    const buttonsOf = async (person: typeof ada) => {
      await person.seesHome('Open balance');
      const home = JSON.stringify(slack.snapshot(person.id).home?.view.blocks);
      return [...(home.split('activity')[0]?.matchAll(/"type":"(button|overflow)"/g) ?? [])].length;
    };
    await grace.seesHome('Finish setting up');
    await grace.presses('Dismiss');
    await grace.seesHome(/^(?![\s\S]*Finish setting up)[\s\S]*Open balance/);
    assert.equal(await buttonsOf(ada), 9);
    assert.equal(await buttonsOf(grace), 10);
    await grace.presses('Open settings');
    await grace.seesModal('Switchboard', 'Connected');
  });

  it('shows everyone’s operations to admins, and only their own to others', async (test) => {
    const { ada, grace, guy, connect } = await joinTestApp(test);
    await connect();
    await send(grace, { to: '+2348031234567' });
    await grace.seesModal(outcome);
    await grace.closes();
    const everyones = await grace.seesHome(/Team activity[\s\S]*<@U0ADMIN\w*>/);
    assert.equal(everyones.match(/SMS to/g)?.length, 1);
    const home = await ada.seesHome('Recent activity');
    assert.ok(!home.includes('•••') && !home.includes('Team'));
    await guy.seesHome('isn’t open to guests');
  });

  it('shows the newest balance of a campaign, a test or a message, and what is not in it', async (test) => {
    const testApp = await joinTestApp(test, inNaira);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal(outcome);
    await ada.closes();
    await ada.seesHome('Balance ₦24,995.75 (');
    await compose(ada, { pasted: recipients(120).join(' ') });
    await ada.seesModal('Campaign review');
    await start(ada);
    await ada.sees('*Done:* 120 recipients');
    await ada.closes();
    await ada.seesHome('Balance ₦24,485.75 (');

    provider.setBalance(0);
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal(outcome);
    await ada.closes();
    await ada.seesHome(/Balance \*too low\* since <!date/);
    assert.match(
      await grace.seesHome('Needs your attention'),
      /The balance has been \*too low\* since .*\. Top up/,
    );
    provider.setBalance(5_000);
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal(outcome);
    await ada.closes();
    await ada.seesHome('Balance ₦4,995.75 (');
    await grace.seesHome(/^(?![\s\S]*too low)/);

    await createEsim(testApp);
    await ada.closes();
    await ada.seesHome(/Balance ₦4,995\.75 \(.*, not counting the last eSIM order\)/);
  });

  it('shows first what waits for its user: paused campaigns, drafts, unconfirmed outcomes', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test, inNaira);
    await connect();
    await ada.seesHome('Recent activity');
    provider.setBalance(0);
    await compose(ada, { pasted: recipients(120).join(' '), name: 'Spring sale' });
    await start(ada);
    await ada.sees('*Paused');
    await ada.closes();
    await compose(ada, { pasted: recipients(3).join(' ') });
    await ada.seesModal('Campaign review');
    await ada.closes();
    provider.setBalance(5_000);
    await send(ada, { to: '+2348030009003' });
    await ada.seesModal(outcome);
    await ada.closes();
    const home = await ada.seesHome('Needs your attention');
    assert.match(
      home,
      /\*Spring sale\* is paused: balance too low\.[\s\S]*1 unconfirmed outcome[\s\S]*Recent/,
    );
    assert.ok(home.indexOf('Needs your attention') < home.indexOf('Send SMS'));
    assert.ok(!(await grace.seesHome('Team activity')).includes('Spring sale* is paused'));
    await ada.seesHome('Needs your attention');
    await ada.presses('Open');
    await ada.seesModal('Campaign', 'Paused');
  });

  it('opens the unconfirmed outcomes that it counts, those and no others', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    for (const person of [ada, grace]) {
      for (const to of ['+2348030009003', '+2348031234567']) {
        await send(person, { to });
        await person.seesModal(outcome);
        await person.closes();
      }
    }
    await compose(ada, { pasted: '+2348030009003', name: 'Spring sale' });
    await start(ada);
    await ada.sees(/1 recipient[\s\S]*[Uu]nconfirmed/);
    await ada.closes();
    await ada.seesHome('2 unconfirmed outcomes');
    await ada.presses('Show unconfirmed');
    const { view } = await ada.seesModal('History', 'Spring sale');
    const shown = wordsOf(view);
    assert.match(shown, /Campaign “Spring sale”[\s\S]*SMS to \+234 803 000 9003/);
    assert.equal(shown.match(/^Open$/gm)?.length, 2);
    await ada.presses('Clear filters');
    await ada.seesModal('History', /SMS to \+234 803 123 4567/);
    await ada.closes();
    await grace.seesHome('1 unconfirmed outcome*');
    await grace.presses('Show unconfirmed');
    await grace.seesModal(
      'History',
      /^(?!(?:[\s\S]*^Open$){2})(?![\s\S]*Spring sale)[\s\S]*SMS to \+234 803 000 9003/m,
    );
  });

  it('counts messages not delivered until they are looked at, and names campaigns, for three days', async (test) => {
    const { clock, pass } = stoppedClock();
    const testApp = await startTestApp(test, { clock, env: reportEnv });
    const { ada, grace, connect } = testApp;
    await connect();
    const report = await startReports(testApp);
    for (const [person, to] of [
      [ada, '2348031230001'],
      [ada, '2348031230002'],
      [grace, '2348031230003'],
    ] as const) {
      await send(person, { to: `+${to}` });
      await person.seesModal(outcome);
      await person.closes();
      await report(to, 'Expired');
    }
    for (const [index, name] of ['One', 'Two', 'Three', 'Four'].entries()) {
      await compose(ada, { pasted: `+234803456000${index}, +234803456100${index}`, name });
      await start(ada);
      await ada.sees(new RegExp(`${name}[\\s\\S]*\\*Done:\\*`));
      await ada.closes();
      await report(`234803456000${index}`, 'DND Active on Phone Number');
      await ada.sees(new RegExp(`${name}[\\s\\S]*1 not delivered`));
    }
    const home = await ada.seesHome('*2 messages not delivered* in the last 3 days');
    assert.match(
      home,
      /\*Four\* wasn’t delivered to 1 recipient\.[\s\S]*\*Three\*[\s\S]*\*Two\* wasn’t[\s\S]*\*1 more campaign\* didn’t reach everyone/,
    );
    assert.ok(!home.split('Recent activity')[0]?.includes('*One*'));
    await ada.presses('Open');
    await ada.seesModal('Campaign', '1 not delivered');
    await followUp(ada, 'Not delivered (1)');
    await start(ada);
    await ada.sees(/Four \(follow-up: not delivered\)[\s\S]*\*Done:\*/);
    await ada.closes();
    await ada.seesHome(
      /^(?![\s\S]*(?:\*Four\* wasn’t|more campaign))[\s\S]*\*Three\*[\s\S]*\*Two\*[\s\S]*\*One\* wasn’t/,
    );

    // An admin sees everyone’s activity, and is told of what is their own.
    const others = await grace.seesHome('*1 message not delivered*');
    assert.ok(!others.includes('wasn’t delivered'));
    await grace.presses('Show');
    await grace.seesModal('History', /^(?![\s\S]*•••000)[\s\S]*SMS to \+234 803 123 0003/);
    await grace.closes();

    await ada.seesHome('*2 messages not delivered*');
    await ada.presses('Show');
    await ada.seesModal('History', /SMS to \+234 803 123 0002[\s\S]*SMS to \+234 803 123 0001/);
    await ada.closes();
    await ada.seesHome(/^(?![\s\S]*messages? not delivered)[\s\S]*\*Three\* wasn’t delivered/);
    pass(60_000);
    await send(ada, { to: '+2348031230004' });
    await ada.seesModal(outcome);
    await ada.closes();
    await report('2348031230004', 'Expired');
    // What follows from a report is done soon after it came. Each Home is done before the next is opened: others would pile up.
    const counted = async () => {
      await ada.seesHome('Recent');
      await testApp.app().settled();
      return (await ada.seesHome('Recent')).includes('*1 message not delivered*');
    };
    await eventually(counted, 'the message in Home');
    pass(3 * 24 * 60 * 60_000);
    await ada.seesHome(/^(?![\s\S]*(?:Needs your attention|wasn’t delivered|messages? not))/);
  });

  it('tells an admin that the provider rejects the key', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await send(ada, { to: '+2348030009401' });
    await ada.seesModal(outcome);
    await ada.closes();
    await grace.seesHome(/The provider rejects the key\.\* Nobody can send/);
    assert.ok(!(await ada.seesHome('Recent activity')).includes('rejects the key'));
    await grace.seesHome('rejects the key');
    await grace.presses('Replace key');
    await grace.seesModal('Provider connection');
    await grace.closes();
    await connect();
    await grace.seesHome(/^(?![\s\S]*rejects the key)/);
  });
});

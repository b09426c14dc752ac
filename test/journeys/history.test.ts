import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatNumber, phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { startTestApp, type TestApp, transports } from '../support/app/test-app.ts';
import { compose, start } from '../support/campaigns.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { send, startFrom } from '../support/slack/sms-steps.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

/** Sends one message to each number with the command alone. */
async function sendToEach(person: SlackUser, numbers: readonly string[]): Promise<void> {
  for (const number of numbers) {
    await person.types('/sms', `${number} Your parcel is here`);
    await person.presses('Send');
    await person.sees(`Accepted* for ${formatNumber(phoneNumberSchema.parse(number))}. Delivery`);
  }
}

function numbersFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+2348031${String(first + index).padStart(6, '0')}`);
}

/** The ends of the masked numbers that the modal on top lists, in order. */
function listed(person: SlackUser): string[] {
  return [...wordsOf(person.modal()?.view).matchAll(/SMS to \+234803•••(\d{4})/g)].map(
    ([, end]) => end ?? '',
  );
}

async function openedBy(person: SlackUser, text = 'history'): Promise<void> {
  await person.types('/sms', text);
  await person.seesModal('History');
}

for (const transport of transports) {
  describe(`/sms history, over ${transport}`, () => {
    it('shows a user’s own operations with masked numbers, and to admins everyone’s, with the user', async (test) => {
      const { ada, grace, connect } = await startTestApp(test, { transport });
      await connect();
      await openedBy(ada);
      await ada.seesModal('History', 'Nothing yet.');
      await ada.closes();
      await send(ada, { to: '+2348031234567' });
      await ada.seesModal('Message accepted');
      await ada.closes();
      await send(grace, { to: '+2348030009400' });
      await grace.seesModal('Message rejected');
      await grace.closes();

      await openedBy(ada);
      const own = wordsOf(ada.modal()?.view);
      assert.match(own, /SMS to \+234803•••4567 · from PalmMarket.*\n.* · accepted$/m);
      assert.ok(!own.includes('9400') && !own.includes('Export'));

      await openedBy(grace);
      await grace.seesModal('History', /SMS to \+234803•••4567.*\n.* · accepted · <@U0AGENT>/);
      await grace.seesModal('History', /SMS to \+234803•••9400.*\n.* · refused, nothing done · <@U0ADMIN>/);
      await grace.presses('Show only mine');
      const mine = await grace.seesModal('History', 'Show everyone’s');
      assert.ok(!wordsOf(mine.view).includes('<@') && !wordsOf(mine.view).includes('•••4567'));
    });

    it('finds by number, from the command or the field, only what the user may see', async (test) => {
      const { ada, grace, connect } = await startTestApp(test, { transport });
      await connect();
      await send(ada, { to: '+2348031234567' });
      await ada.seesModal('Message accepted');
      await ada.closes();
      await send(grace, { to: '0805 123 4567, 0803 123 4567' });
      await grace.seesModal('Message accepted');
      await grace.closes();
      await send(grace, { to: '+2348051234567' });
      await grace.seesModal('Message accepted');
      await grace.closes();

      await openedBy(ada, 'history +2348031234567');
      const own = wordsOf((await ada.seesModal('History', /What went to \+234\s803\s123\s4567/)).view);
      assert.match(own, /SMS to \+234803•••4567 · from PalmMarket/);
      assert.ok(!own.includes('805•••') && !own.includes('<@'));
      await ada.fills('Search by phone number', '0805 123 4567');
      await ada.seesModal('History', /Nothing of yours went to \+234\s805\s123\s4567/);

      await openedBy(grace);
      await grace.fills('Search by phone number', '0803 123 4567');
      const all = wordsOf((await grace.seesModal('History', 'The 2 things that went to')).view);
      assert.match(all, /\+234805•••4567, \+234803•••4567[\s\S]*<@U0ADMIN>[\s\S]*<@U0AGENT>/);
      await grace.presses('Show only mine');
      await grace.seesModal('History', 'What went to');
      await grace.presses('Show the whole history');
      await grace.seesModal('History', /^(?![\s\S]*went to)[\s\S]*805•••4567/);
      await grace.presses('Show everyone’s');
      await grace.seesModal('History', /^(?![\s\S]*went to)[\s\S]*<@U0AGENT>/);
    });
  });
}

describe('the history', () => {
  it('is searched with the button too, and shows why an input is not a number', async (test) => {
    const { ada, connect } = await startTestApp(test);
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    await openedBy(ada, 'history nobody');
    await ada.seesModal('History', '“nobody”');
    await ada.fills('Search by phone number', '0803 12');
    await ada.submits();
    await ada.seesModal('History', '“0803 12” is too short');
    await ada.fills('Search by phone number', '0803 123 4567');
    await ada.submits();
    await ada.seesModal('History', 'What went to');
    await ada.fills('Search by phone number', '');
    await ada.submits();
    await ada.seesModal('History', /^(?![\s\S]*went to)[\s\S]*803•••4567/);
  });

  it('finds one-time codes and contacts by number', async (test) => {
    const { ada, connect } = await startTestApp(test);
    await connect();
    await ada.types('/otp', '+2348031234567');
    await ada.fills('Send by', 'Voice call');
    await ada.seesModal('One-time code', 'A call reads the code out');
    await ada.submits();
    await ada.seesModal('Code sent');
    await ada.closes();
    await openedBy(ada, 'history 0803 123 4567');
    await ada.seesModal('History', /What went to[\s\S]*One-time code for \+234803•••4567/);
  });

  it('has campaigns, with the outcome for a number that is searched for', async (test) => {
    const { ada, grace, slack, connect } = await startTestApp(test);
    await connect();
    await compose(ada, { pasted: '0805 123 4568, 0803 000 9400, 0806 123 4569', name: 'Spring sale' });
    await openedBy(grace);
    await grace.seesModal('History', 'Nothing yet.');
    await grace.closes();
    await start(ada);
    await ada.sees('*Done:*');

    await openedBy(grace, 'history 0806 123 4569');
    await grace.seesModal(
      'History',
      /Campaign \*Spring sale\* to 3 recipients[^\n]*\n[^\n]* · done · <@U0AGENT>\nThis number: \*rejected\* · The recipient’s country is not active/,
    );
    await grace.presses('Show only mine');
    await grace.seesModal('History', 'Nothing of yours');
    await grace.presses('Export as CSV');
    const [, row] = await resultOf(slack, await grace.sees('What was done in this workspace'));
    assert.match(
      row ?? '',
      /Z,campaign,U0AGENT,done,Campaign Spring sale to 3 recipients · from PalmMarket · /,
    );
    await ada.seesHome('Campaign *Spring sale* to 3 recipients');
  });

  it('shows a former admin only their own operations', async (test) => {
    const { clock, pass } = stoppedClock();
    const { ada, grace, slack, connect } = await startTestApp(test, { clock });
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await openedBy(grace);
    await grace.seesModal('History', '•••4567');
    slack.setRole(grace.id, 'member');
    pass(60_000);
    await grace.fills('Search by phone number', '0803 123 4567');
    await grace.seesModal('History', 'Nothing of yours');
    await grace.presses('Show the whole history');
    await grace.seesModal('History', 'Nothing yet.');
    slack.setRole(grace.id, 'admin');
    pass(60_000);
    await grace.fills('Search by phone number', '');
    await grace.seesModal('History', 'Export as CSV');
    slack.setRole(grace.id, 'member');
    pass(60_000);
    await grace.presses('Export as CSV');
    await grace.seesTrouble('Only admins');
  });

  it('is paged forward and back, from the Home too', async (test) => {
    const { ada, grace, connect } = await startTestApp(test);
    await connect();
    await startFrom(grace, 'PalmMarket');
    await sendToEach(ada, numbersFrom(0, 45));
    await ada.seesHome('SMS to +234803•••0044');
    await ada.presses('All activity');
    await ada.seesModal('History', '•••0044');
    const newest = listed(ada);
    assert.equal(newest.length, 20);
    await ada.presses('Next');
    await ada.seesModal('History', '•••0024');
    await ada.presses('Next');
    await ada.seesModal('History', '•••0004');
    assert.deepEqual(listed(ada), ['0004', '0003', '0002', '0001', '0000']);
    assert.ok(!wordsOf(ada.modal()?.view).includes('Next'));
    await ada.presses('Previous');
    await ada.seesModal('History', '•••0024');
    await ada.presses('Next');
    await ada.presses('Newest');
    await ada.seesModal('History', '•••0044');
    assert.deepEqual(listed(ada), newest);
  });

  it('is exported for admins as a file in their messages: everyone’s, numbers masked', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, grace, slack, connect } = testApp;
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    await send(ada, { to: '+2348030009400' });
    await ada.seesModal('Message rejected');
    await openedBy(grace);
    await grace.presses('Export as CSV');
    await grace.seesModal('History', '2 rows, phone numbers masked');
    const message = await grace.sees('What was done in this workspace');
    const [titles, refused, accepted] = await resultOf(slack, message);
    assert.equal(titles, '\uFEFFTime,Kind,Who,State,What,Provider id,Pages,Balance,Error,Error in words');
    assert.match(
      refused ?? '',
      /^\d{4}-\d\d-\d\dT[\d:.]+Z,sms\.send,U0AGENT,rejected,.*•••9400.*,,,,country_inactive,The recipient’s country is not active/,
    );
    assert.match(
      accepted ?? '',
      /,sms\.send,U0AGENT,accepted,SMS to \+234803•••4567 · from PalmMarket · DND · 1 page,\w+,1,24995\.75,,$/,
    );
    await assertOnlyFor(testApp, message.channel);
  });
});

/** Grace’s direct messages with the app. */
async function assertOnlyFor({ ada, grace }: TestApp, channel: string): Promise<void> {
  assert.ok(grace.messages().some((message) => message.channel === channel));
  assert.ok(!ada.messages().some((message) => message.channel === channel));
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, eventually, start } from '../support/campaigns.ts';
import { startReports } from '../support/reports/report-messages.ts';
import { reportEnv } from '../support/reports/signed-report.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

/** Sends one message from Ada to each number, without opening a screen. */
async function sendToEach({ app, ada, teamId }: TestWorkspace, numbers: readonly string[]): Promise<void> {
  const { messages } = app().services;
  const content = { route: 'dnd' as const, senderId: 'PalmMarket', text: 'Your parcel is here' };
  for (const number of numbers) {
    const draftId = number.padStart(22, '0');
    const recipients = [phoneNumberSchema.parse(number)];
    const { version } = await messages.save(teamId, draftId, ada.id, { ...content, recipients });
    const { kind } = await messages.send({
      workspaceId: teamId,
      userId: ada.id,
      draftId,
      version,
      seen: {},
    });
    assert.equal(kind, 'performed');
  }
}

function numbersFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+2348031${String(first + index).padStart(6, '0')}`);
}

/** The ends of the numbers that the modal on top lists, in order. */
function listed(person: SlackUser): string[] {
  return [...wordsOf(person.modal()?.view).matchAll(/SMS to \+234 803 1\d\d (\d{4})/g)].map(
    ([, end]) => end ?? '',
  );
}

/** Opens the history from the Home, or searches it with the command. */
async function openedBy(person: SlackUser, number?: string): Promise<void> {
  if (number === undefined) {
    await person.seesHome('See all activity');
    await person.presses('See all activity');
  } else {
    await person.types('/sms', `history ${number}`);
  }
  await person.seesModal('History');
}

describe('/sms history', () => {
  it('lists a user’s own operations, and for admins everyone’s, with the user, each with what opens it', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sms', 'history');
    await ada.seesModal('History', 'Nothing yet.');
    await ada.closes();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await send(grace, { to: '+2348030009400' });
    await grace.seesModal('Message rejected');
    await grace.closes();

    await ada.types('/sms', 'history');
    const own = wordsOf((await ada.seesModal('History', 'SMS to')).view);
    assert.match(own, /SMS to \+234 803 123 4567 · from PalmMarket\n<!date[^\n]* · \*Sent\*\n/);
    assert.doesNotMatch(own, /9400|Export|Anyone|<@/);
    await ada.presses('Open');
    await ada.seesModal('Message', 'Your order is on its way');
    await ada.closes();

    await grace.types('/sms', 'history');
    await grace.seesModal(
      'History',
      /SMS to \+234 803 000 9400[^\n]*\n[^\n]*\*Rejected\* · <@U0ADMIN\w*>[\s\S]*SMS to \+234803•••4567[^\n]*\n[^\n]*\*Sent\* · <@U0AGENT\w*>/,
    );
    await grace.chooses('Anyone', grace.id);
    await grace.seesModal('History', /^(?![\s\S]*•••4567)[\s\S]*SMS to \+234 803 000 9400/);
    await grace.presses('Clear filters');
    await grace.seesModal('History', '•••4567');
    const home = await grace.seesHome('Team activity');
    assert.match(home, /SMS to \+234803•••4567[^\n]*\n[^\n]*\*Sent\* · <@U0AGENT\w*>\nOpen/);
  });

  it('finds by number, from the command or the field, only what the user may see', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await send(ada, { to: '+2348031234567', text: 'Your parcel is at the gate' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await send(grace, { to: '0805 123 4567, 0803 123 4567', text: 'The office is closed' });
    await grace.seesModal('Message sent');
    await grace.closes();
    await send(grace, { to: '+2348051234567' });
    await grace.seesModal('Message sent');
    await grace.closes();

    await openedBy(ada, '+2348031234567');
    const own = wordsOf((await ada.seesModal('History', 'Conversation with +234 803 123 4567')).view);
    assert.match(
      own,
      /Message from a colleague\n<!date[^\n]* · \*Sent\*\n[\s\S]*SMS to \+234 803 123 4567 · from PalmMarket[\s\S]*Your parcel is at the gate/,
    );
    assert.ok(!own.includes('office') && !own.includes('<@'));
    await ada.fills('Phone number', '0805 123 4567');
    const others = wordsOf((await ada.seesModal('History', 'Conversation with +234 805 123 4567')).view);
    assert.equal(others.match(/Message from a colleague/g)?.length, 2);
    assert.doesNotMatch(others, /office|<@|Open/);

    await openedBy(grace);
    await grace.fills('Phone number', '0803 123 4567');
    const all = wordsOf((await grace.seesModal('History', 'Conversation with')).view);
    assert.doesNotMatch(all, /colleague/);
    assert.match(
      all,
      /805 123 4567, \+234 803 123 4567[\s\S]*<@U0ADMIN\w*>[\s\S]*The office is closed[\s\S]*\+234803•••4567[\s\S]*<@U0AGENT\w*>[\s\S]*Your parcel is at the gate/,
    );
    await grace.fills('Phone number', '');
    await grace.seesModal('History', /^(?![\s\S]*Conversation)[\s\S]*805 123 4567/);
  });
});

describe('the history', () => {
  it('is filtered by kind, outcome, day and number, together', async (test) => {
    const { clock, pass } = stoppedClock();
    const { ada, connect } = await startTestApp(test, { clock });
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.closes();
    pass(2 * 24 * 60 * 60_000);
    await send(ada, { to: '+2348030009400' });
    await ada.seesModal('Message rejected');
    await ada.closes();
    const today = new Date(clock.now().getTime() + 60 * 60_000).toISOString().slice(0, 10);

    await openedBy(ada);
    await ada.chooses('From', today);
    await ada.seesModal('History', /^(?![\s\S]*SMS to \+234 803 123)[\s\S]*SMS to \+234 803 000 9400/);
    await ada.chooses('All kinds', 'eSIMs');
    await ada.seesModal('History', 'Nothing matches these filters.');
    await ada.presses('Clear filters');
    await ada.seesModal('History', 'SMS to +234 803 123 4567');
    await ada.chooses('All outcomes', 'Rejected');
    await ada.seesModal('History', /^(?![\s\S]*SMS to \+234 803 123)/);
    await ada.fills('Phone number', '0803 123 4567');
    await ada.seesModal('History', 'Nothing matches these filters.');
    await ada.fills('Phone number', '0803 000 9400');
    await ada.seesModal('History', /Conversation with[\s\S]*SMS to \+234 803 000 9400/);
    await ada.closes();

    await openedBy(ada);
    await ada.chooses('All outcomes', 'Sent');
    await ada.seesModal('History', /^(?![\s\S]*803 000)[\s\S]*803 123 4567/);
    await ada.chooses('To', today);
    await ada.seesModal('History', /^(?![\s\S]*803 000)[\s\S]*803 123 4567/);
    await ada.chooses('All outcomes', 'All outcomes');
    await ada.seesModal('History', '803 000 9400');
  });

  it('is filtered by what was not delivered, in part or as a whole, in the file too', async (test) => {
    const testApp = await joinTestApp(test, { env: reportEnv });
    const { ada, grace, slack, connect } = testApp;
    await connect();
    const report = await startReports(testApp);
    for (const [person, to] of [
      [ada, '+2348031230001'],
      [ada, '+2348031230002, +2348031230003, +2348031230008'],
      [ada, '+2348031230004'],
      [grace, '+2348031230005'],
    ] as const) {
      await send(person, { to });
      await person.seesModal('Message sent');
      await person.closes();
    }
    await compose(ada, { pasted: '0803 123 0006, 0803 123 0007', name: 'Spring sale' });
    await start(ada);
    await ada.sees('*Done:*');
    await ada.closes();
    await report('2348031230001', 'Message Failed');
    await report('2348031230002', 'Delivered');
    await report('2348031230003', 'Expired');
    await report('2348031230004', 'Delivered');
    await report('2348031230005', 'Rejected');
    await report('2348031230006', 'DND Active on Phone Number');
    await ada.sees(/\*Done:\*[\s\S]*1 not delivered/);

    await openedBy(ada);
    await ada.chooses('All outcomes', 'Not delivered');
    const own = wordsOf((await ada.seesModal('History', /^(?![\s\S]*123 0004)/)).view);
    assert.match(own, /Spring sale[\s\S]*123 0002, \+234 803 123 0003[\s\S]*123 0001/);
    assert.equal(own.match(/^Open$/gm)?.length, 3);
    // Of a number nothing is said that is known of another one.
    await ada.fills('Phone number', '0803 123 0008');
    await ada.seesModal('History', /^(?![\s\S]*Not delivered\*)[\s\S]*Nothing matches/);
    await ada.fills('Phone number', '');
    await ada.seesModal('History', 'Spring sale');
    await ada.chooses('All kinds', 'Campaigns');
    await ada.seesModal('History', /^(?![\s\S]*123 000)[\s\S]*Spring sale/);
    await report('2348031230006', 'Delivered');
    await ada.sees(/\*Done:\*[\s\S]*1 delivered/);
    await ada.chooses('All kinds', 'All kinds');
    await ada.seesModal('History', /^(?![\s\S]*Spring sale)[\s\S]*123 0001/);

    await openedBy(grace);
    await grace.chooses('All outcomes', 'Not delivered');
    const everyones = wordsOf((await grace.seesModal('History', /^(?![\s\S]*Spring sale)/)).view);
    assert.equal(everyones.match(/^Open$/gm)?.length, 3);
    const shows = (day: string) =>
      eventually(() => JSON.stringify(grace.modal()?.view).includes(day), `the filter ${day}`);
    await grace.chooses('From', '2020-01-01');
    await shows('2020-01-01');
    await grace.chooses('To', '2099-12-31');
    await shows('2099-12-31');
    await grace.presses('Export as CSV');
    await grace.seesModal('History', '3 rows');
    const [, ...rows] = await resultOf(
      slack,
      await grace.sees(
        'The history of this workspace by your filters, from 1 Jan 2020 to 31 Dec 2099, newest first',
      ),
    );
    assert.match(
      rows[0] ?? '',
      /•••0005.*,1,0,0,0,1,1,.*,"not delivered, rejected, possibly Do-Not-Disturb",,,$/,
    );
    assert.match(
      rows[1] ?? '',
      /,3,3,0,0,1,1,3,.*,"to \+234803•••0002: delivered; to \+234803•••0003: not delivered, the phone wasn’t reached in time; to \+234803•••0008: waiting for a report",,,$/,
    );
    assert.match(rows[2] ?? '', /•••0001.*,"?not delivered, the provider says .*,,,$/);
  });

  it('is searched with the button too, and shows why an input is not a number', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await openedBy(ada, 'nobody');
    await ada.seesModal('History', '“nobody”');
    await ada.fills('Phone number', '0803 12');
    await ada.submits();
    await ada.seesModal('History', '“0803 12” is too short');
    await ada.fills('Phone number', '0803 123 4567');
    await ada.submits();
    await ada.seesModal('History', 'Conversation with');
    await ada.fills('Phone number', '');
    await ada.submits();
    await ada.seesModal('History', /^(?![\s\S]*Conversation)[\s\S]*803 123 4567/);
  });

  it('finds one-time codes and contacts by number', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/otp', '+2348031234567');
    await ada.fills('Send by', 'Voice call');
    await ada.seesModal('One-time code', 'A call reads the code out');
    await ada.submits();
    await ada.seesModal('Code sent');
    await ada.closes();
    await openedBy(ada, '0803 123 4567');
    await ada.seesModal('History', /Conversation with[\s\S]*One-time code for \+234 803 123 4567/);
  });

  it('has campaigns, with the outcome for a number that is searched for', async (test) => {
    const { ada, grace, slack, connect } = await joinTestApp(test);
    await connect();
    await compose(ada, { pasted: '0805 123 4568, 0803 000 9422, 0806 123 4569', name: 'Spring sale' });
    await openedBy(grace);
    await grace.seesModal('History', 'Nothing yet.');
    await grace.closes();
    await start(ada);
    await ada.sees('*Done:*');

    await openedBy(grace, '0806 123 4569');
    await grace.seesModal(
      'History',
      /Campaign “Spring sale” to 3 recipients[^\n]*\n[^\n]* · \*Rejected\* · The provider does not accept the phone number.* · <@U0AGENT\w*>/,
    );
    await grace.fills('Phone number', '');
    await grace.seesModal('History', '*Done* · all rejected');
    await grace.presses('Export as CSV');
    const [, row] = await resultOf(slack, await grace.sees('The history of this workspace'));
    assert.match(
      row ?? '',
      /Z,Campaign,Ada Obi,U0AGENT\w*,Done,Campaign “Spring sale” to 3 recipients · from PalmMarket,Transactional \(DND\),PalmMarket,3,0,3,0,/,
    );
    await ada.seesHome('Campaign “Spring sale” to 3 recipients');
  });

  it('shows a former admin only their own operations', async (test) => {
    const { clock, pass } = stoppedClock();
    const { ada, grace, slack, connect } = await startTestApp(test, { clock });
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await openedBy(grace);
    await grace.seesModal('History', '•••4567');
    slack.setRole(grace.id, 'member');
    pass(60_000);
    await grace.fills('Phone number', '0803 123 4567');
    await grace.seesModal('History', 'Message from a colleague');
    await grace.fills('Phone number', '');
    await grace.seesModal('History', 'Nothing yet.');
    slack.setRole(grace.id, 'admin');
    pass(60_000);
    await grace.fills('Phone number', '');
    await grace.seesModal('History', 'Export as CSV');
    slack.setRole(grace.id, 'member');
    pass(60_000);
    await grace.presses('Export as CSV');
    await grace.seesTrouble('Only admins');
  });

  it('is paged forward and back, from the Home too', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await sendToEach(testApp, numbersFrom(0, 45));
    await ada.seesHome('SMS to +234 803 100 0044');
    await ada.presses('See all activity');
    await ada.seesModal('History', '803 100 0044');
    const newest = listed(ada);
    assert.equal(newest.length, 20);
    await ada.presses('Next');
    await ada.seesModal('History', '803 100 0024');
    await ada.presses('Next');
    await ada.seesModal('History', '803 100 0004');
    assert.deepEqual(listed(ada), ['0004', '0003', '0002', '0001', '0000']);
    assert.ok(!wordsOf(ada.modal()?.view).includes('Next'));
    await ada.presses('Previous');
    await ada.seesModal('History', '803 100 0024');
    await ada.presses('Next');
    await ada.presses('Newest');
    await ada.seesModal('History', '803 100 0044');
    assert.deepEqual(listed(ada), newest);
  });

  it('is exported for admins as a file in their messages: everyone’s, numbers masked', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, slack, app, connect } = testApp;
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await send(ada, { to: '+2348030009400' });
    await ada.seesModal('Message rejected');
    await openedBy(grace);
    // A double click makes one file.
    await Promise.all([grace.presses('Export as CSV'), grace.presses('Export as CSV')]);
    await grace.seesModal('History', '2 rows, phone numbers masked');
    await app().settled();
    assert.equal(grace.messages().filter(({ files = [] }) => files.length > 0).length, 1);
    const message = await grace.sees('The history of this workspace, newest first');
    const [titles, rejected, accepted] = await resultOf(slack, message);
    assert.equal(
      titles,
      '\uFEFFTime (Europe/London),Time (UTC),Kind,Who,Slack user ID,State,What,Route,Sender ID,Recipients,Sent,Rejected,Unconfirmed,Delivered,Not delivered,Pages,Balance after,Provider’s ID,Reason,Reason code,Delivery,Verified at (Europe/London),Verified by,Wrong guesses',
    );
    assert.match(
      rejected ?? '',
      /^\d{4}-\d\d-\d\d \d\d:\d\d,\d{4}-\d\d-\d\dT[\d:.]+Z,Message,Ada Obi,U0AGENT\w*,Rejected,.*•••9400.*,Transactional \(DND\),PalmMarket,1,0,1,0,,,,,,The recipient’s country is not active.*,country_inactive,,,,$/,
    );
    assert.match(
      accepted ?? '',
      /,Sent,SMS to \+234803•••4567 · from PalmMarket,Transactional \(DND\),PalmMarket,1,1,0,0,,,1,24995\.75,\w+,,,,,,$/,
    );
    await grace.closes();
    await grace.chooses('All outcomes', 'Rejected');
    await grace.seesModal('History', /^(?![\s\S]*•4567)/);
    await grace.presses('Export as CSV');
    await grace.seesModal('History', '1 row, phone numbers masked');
    await assertOnlyFor(testApp, message.channel);
  });
});

/** Grace’s direct messages with the app. */
async function assertOnlyFor({ ada, grace }: TestWorkspace, channel: string): Promise<void> {
  assert.ok(grace.messages().some((message) => message.channel === channel));
  assert.ok(!ada.messages().some((message) => message.channel === channel));
}

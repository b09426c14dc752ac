import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, start } from '../support/campaigns.ts';
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
    await person.seesHome('All activity');
    await person.presses('All activity');
  } else {
    await person.types('/sms', `history ${number}`);
  }
  await person.seesModal('History');
}

/** The rows of the table in the newest message, each as its texts. */
function tableOf(person: SlackUser): string[][] | undefined {
  const isTable = ({ type }: { type?: unknown }) => type === 'data_table';
  const shown = person.messages().findLast(({ blocks }) => blocks.some(isTable));
  const block = shown?.blocks.find(isTable);
  const rows = z.array(z.array(z.unknown())).optional().parse(block?.rows);
  return rows?.map((row) => row.map((cell) => wordsOf(cell).trim()));
}

describe('/sms history', () => {
  it('is a table of a user’s own operations, and of everyone’s, with the user, for admins', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sms', 'history');
    await ada.sees('Nothing yet.');
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    await send(grace, { to: '+2348030009400' });
    await grace.seesModal('Message rejected');
    await grace.closes();

    await ada.types('/sms', 'history');
    await ada.sees('Your history, newest first');
    const [titles, row, ...others] = tableOf(ada) ?? [];
    assert.deepEqual(titles, ['Time', 'State', 'What']);
    assert.match(row?.[0] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    assert.deepEqual(row?.slice(1), ['accepted', 'SMS to +234 803 123 4567 · from PalmMarket']);
    assert.deepEqual(others, []);
    assert.ok(!wordsOf(ada.messages().at(-1)).includes('Export'));

    await grace.types('/sms', 'history');
    await grace.sees('Everyone’s history, newest first');
    const everyones = tableOf(grace)?.map((cells) => cells.slice(1));
    assert.deepEqual(everyones, [
      ['State', 'What', 'Who'],
      ['rejected', 'SMS to +234 803 000 9400 · from PalmMarket', grace.id],
      ['accepted', 'SMS to +234803•••4567 · from PalmMarket', ada.id],
    ]);
    await grace.chooses('Anyone', grace.id);
    await grace.sees(/^(?![\s\S]*•••4567)[\s\S]*SMS to \+234 803 000 9400/);
    assert.equal(tableOf(grace)?.length, 2);
    await grace.presses('Clear filters');
    await grace.sees('•••4567');
  });

  it('finds by number, from the command or the field, only what the user may see', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await send(ada, { to: '+2348031234567', text: 'Your parcel is at the gate' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    await send(grace, { to: '0805 123 4567, 0803 123 4567', text: 'The office is closed' });
    await grace.seesModal('Message accepted');
    await grace.closes();
    await send(grace, { to: '+2348051234567' });
    await grace.seesModal('Message accepted');
    await grace.closes();

    await openedBy(ada, '+2348031234567');
    const own = wordsOf((await ada.seesModal('History', 'Sent to +234 803 123 4567')).view);
    assert.match(own, /SMS to \+234 803 123 4567 · from PalmMarket[\s\S]*Your parcel is at the gate/);
    assert.ok(!own.includes('office') && !own.includes('<@'));
    assert.match(own, /Sent to \+234 803 123 4567\* by you, and 1 by colleagues/);
    await ada.fills('Search by phone number', '0805 123 4567');
    await ada.seesModal(
      'History',
      /Nothing of yours went to \+234 805 123 4567[\s\S]* Sent by colleagues: 2\./,
    );

    await openedBy(grace);
    await grace.fills('Search by phone number', '0803 123 4567');
    const all = wordsOf((await grace.seesModal('History', 'Sent to')).view);
    assert.doesNotMatch(all, /colleagues/);
    assert.match(
      all,
      /805 123 4567, \+234 803 123 4567[\s\S]*<@U0ADMIN\w*>[\s\S]*The office is closed[\s\S]*\+234803•••4567[\s\S]*<@U0AGENT\w*>[\s\S]*Your parcel is at the gate/,
    );
    await grace.presses('Show the whole history');
    await grace.seesModal('History', /^(?![\s\S]*Sent to)[\s\S]*805 123 4567/);
  });
});

describe('the history', () => {
  it('is a list in the same message where Slack does not know tables', async (test) => {
    const { ada, slack, connect } = await startTestApp(test);
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    slack.forgetBlocks('data_table');
    await ada.types('/sms', 'history');
    await ada.sees(/SMS to \+234 803 123 4567 · from PalmMarket\n[^\n]* · accepted\n/);
    assert.equal(tableOf(ada), undefined);
    await ada.chooses('All states', 'Rejected');
    await ada.sees('Nothing matches these filters.');
    await ada.presses('Clear filters');
    await ada.sees(/· accepted\n/);
    await ada.chooses('Open an entry', 'SMS to');
    await ada.seesModal('Message', 'Your order is on its way');
  });

  it('is filtered by kind, state and day, in the message and in the modal', async (test) => {
    const { clock, pass } = stoppedClock();
    const { ada, connect } = await startTestApp(test, { clock });
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    pass(2 * 24 * 60 * 60_000);
    await send(ada, { to: '+2348030009400' });
    await ada.seesModal('Message rejected');
    await ada.closes();
    const today = new Date(clock.now().getTime() + 60 * 60_000).toISOString().slice(0, 10);

    await ada.types('/sms', 'history');
    await ada.sees('Your history');
    assert.equal(tableOf(ada)?.length, 3);
    await ada.chooses('From', today);
    await ada.sees(/^(?![\s\S]*803 123)[\s\S]*SMS to \+234 803 000 9400/);
    await ada.chooses('All kinds', 'eSIMs');
    await ada.sees('Nothing matches these filters.');
    await ada.presses('Clear filters');
    await ada.sees('803 123 4567');

    await openedBy(ada);
    await ada.chooses('All states', 'Accepted');
    await ada.seesModal('History', /^(?![\s\S]*803 000)[\s\S]*803 123 4567/);
    await ada.chooses('To', today);
    await ada.seesModal('History', /^(?![\s\S]*803 000)[\s\S]*803 123 4567/);
    await ada.chooses('All states', 'All states');
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
      await person.seesModal('Message accepted');
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
    await ada.chooses('All states', 'Not delivered');
    const own = wordsOf((await ada.seesModal('History', /^(?![\s\S]*123 0004)/)).view);
    assert.match(own, /Spring sale[\s\S]*123 0002, \+234 803 123 0003[\s\S]*123 0001/);
    assert.equal(own.match(/^Open$/gm)?.length, 3);
    // Of a number nothing is said that is known of another one.
    await ada.fills('Search by phone number', '0803 123 0008');
    await ada.seesModal('History', /^(?![\s\S]*not delivered)[\s\S]*Sent to \+234 803 123 0008/);
    await ada.presses('Show the whole history');
    await ada.chooses('All kinds', 'Campaigns');
    await ada.seesModal('History', /^(?![\s\S]*123 000)[\s\S]*Spring sale/);
    await report('2348031230006', 'Delivered');
    await ada.sees(/\*Done:\*[\s\S]*1 delivered/);
    await ada.chooses('All kinds', 'All kinds');
    await ada.seesModal('History', /^(?![\s\S]*Spring sale)[\s\S]*123 0001/);

    await openedBy(grace);
    await grace.chooses('All states', 'Not delivered');
    const everyones = wordsOf((await grace.seesModal('History', /^(?![\s\S]*Spring sale)/)).view);
    assert.equal(everyones.match(/^Open$/gm)?.length, 3);
    await grace.presses('Export as CSV');
    await grace.seesModal('History', '3 rows');
    const [, ...rows] = await resultOf(
      slack,
      await grace.sees('The history of this workspace by your filters'),
    );
    assert.match(
      rows[0] ?? '',
      /•••0005.*,1,0,0,0,1,1,.*,"not delivered: rejected, possibly Do-Not-Disturb",,,$/,
    );
    assert.match(
      rows[1] ?? '',
      /,3,3,0,0,1,1,3,.*,"to \+234803•••0002: delivered; to \+234803•••0003: not delivered: the phone wasn’t reached in time; to \+234803•••0008: waiting for a report",,,$/,
    );
    assert.match(rows[2] ?? '', /•••0001.*,not delivered,,,$/);
  });

  it('is searched with the button too, and shows why an input is not a number', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    await openedBy(ada, 'nobody');
    await ada.seesModal('History', '“nobody”');
    await ada.fills('Search by phone number', '0803 12');
    await ada.submits();
    await ada.seesModal('History', '“0803 12” is too short');
    await ada.fills('Search by phone number', '0803 123 4567');
    await ada.submits();
    await ada.seesModal('History', 'Sent to');
    await ada.fills('Search by phone number', '');
    await ada.submits();
    await ada.seesModal('History', /^(?![\s\S]*Sent to)[\s\S]*803 123 4567/);
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
    await ada.seesModal('History', /Sent to[\s\S]*One-time code for \+234803•••4567/);
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
      /Campaign \*Spring sale\* to 3 recipients[^\n]*\n[^\n]* · done · 3 rejected · <@U0AGENT\w*>\nThis number: \*rejected\* · The provider does not accept the phone number/,
    );
    await grace.presses('Show the whole history');
    await grace.presses('Export as CSV');
    const [, row] = await resultOf(slack, await grace.sees('The history of this workspace'));
    assert.match(
      row ?? '',
      /Z,Campaign,Ada Obi,U0AGENT\w*,done,Campaign Spring sale to 3 recipients · from PalmMarket,DND,PalmMarket,3,0,3,0,/,
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
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await sendToEach(testApp, numbersFrom(0, 45));
    await ada.seesHome('SMS to +234 803 100 0044');
    await ada.presses('All activity');
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
    await ada.seesModal('Message accepted');
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
      '\uFEFFTime (Europe/London),Time (UTC),Kind,Who,Slack user ID,State,What,Route,Sender ID,Recipients,Accepted,Rejected,Unconfirmed,Delivered,Not delivered,Pages,Balance after,Provider’s ID,Reason,Reason code,Delivery,Verified at (Europe/London),Verified by,Wrong guesses',
    );
    assert.match(
      rejected ?? '',
      /^\d{4}-\d\d-\d\d \d\d:\d\d,\d{4}-\d\d-\d\dT[\d:.]+Z,Message,Ada Obi,U0AGENT\w*,rejected,.*•••9400.*,DND,PalmMarket,1,0,1,0,,,,,,The recipient’s country is not active.*,country_inactive,,,,$/,
    );
    assert.match(
      accepted ?? '',
      /,accepted,SMS to \+234803•••4567 · from PalmMarket,DND,PalmMarket,1,1,0,0,,,1,24995\.75,\w+,,,,,,$/,
    );
    await grace.closes();
    await grace.chooses('All states', 'Rejected');
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

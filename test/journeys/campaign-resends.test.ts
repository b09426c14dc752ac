import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, followUp, provided, reached, recipients, start } from '../support/campaigns.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv } from '../support/reports/signed-report.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { runningClock } from '../support/time/test-clock.ts';

const options = {
  env: { ...reportEnv, CAMPAIGN_MESSAGES_PER_SECOND: '10000' },
};
/** The provider takes the message and cuts the connection. */
const cutAfter = '+2348030009003';

/** Sends a campaign whose answer is lost. Returns what has the provider report its message to some of the numbers. */
async function sendWithoutAnswer(app: TestWorkspace, numbers: readonly string[]) {
  const { ada, provider, channels } = app;
  const address = await makesReportAddress(app);
  const all = [...numbers, cutAfter];
  await compose(ada, {
    file: ['Name,Phone', ...all.map((number) => `Ada,${number}`)].join('\n'),
    name: 'Sale',
  });
  await start(ada, channels.support);
  await ada.sees(new RegExp(`\\*Done:\\* ${all.length} recipients[\\s\\S]*all unconfirmed`));
  await ada.closes();
  const [sent] = provider.record;
  assert.ok(sent);
  return async (reported: readonly string[]) => {
    const data = reported.map((receiver) => ({
      message_id: sent.id,
      receiver,
      sender: sent.from,
      message: sent.text,
      sent_at: sent.at.slice(0, 19).replace('T', ' '),
      status: 'DELIVERED',
    }));
    assert.equal(await postReport(address, JSON.stringify({ data }), provider.account), 200);
    await ada.sees(new RegExp(` · ${reported.length} delivered · ${all.length - reported.length} unconf`));
    await app.app().settled();
  };
}

/** Opens the review of a campaign to all whom it is not known of. */
async function composeResend(ada: SlackUser, { count, text }: { count: number; text?: string }) {
  await followUp(ada, `Unconfirmed (${count})`, text);
  await ada.seesModal('Campaign review', `*${count} recipients`);
}

/** How often each of the numbers was sent to. */
const timesReached = ({ provider }: TestWorkspace, numbers: readonly string[]) =>
  numbers.map((number) => reached(provider.record).filter((each) => each === number).length);

describe('who turns out to be accepted is not sent to again', () => {
  it('by a resend that is reviewed, which says so', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, connect } = app;
    await connect();
    const numbers = recipients(3);
    const report = await sendWithoutAnswer(app, numbers);
    await composeResend(ada, { count: 4 });
    await report(numbers.slice(0, 2));
    await ada.closes();
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns');
    await ada.presses('Open');
    await ada.seesModal('Campaign review', /\*2 recipients[\s\S]*Skipped: 2 already sent to/);
    await ada.submits();
    const done = await ada.sees(/\*Done:\* 2 recipients[\s\S]*Skipped: 2 already sent to/);
    assert.match(wordsOf(done), /follow-up: unconfirmed/);
    assert.deepEqual(timesReached(app, numbers), [1, 1, 2]);
  });

  it('by a resend that is scheduled', async (test) => {
    const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
    const app = await startTestApp(test, { ...options, clock });
    const { ada, connect } = app;
    await connect();
    const numbers = recipients(3);
    const report = await sendWithoutAnswer(app, numbers);
    await composeResend(ada, { count: 4 });
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', '2077-07-05');
    await ada.fills('Time', '11:00');
    await ada.submits();
    await ada.seesModal('Scheduled');
    await ada.sees(/\*Scheduled for[\s\S]*4 recipients/);
    await report(numbers);
    await ada.sees(/\*Scheduled for[\s\S]*1 recipient[\s\S]*Skipped: 3 already sent to/);
    pass(61 * 60_000);
    await ada.sees('*Done:* 1 recipient');
    assert.deepEqual(timesReached(app, numbers), [1, 1, 1]);
  });

  it('by a resend that waits for approval, which starts without them', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, grace, connect, channels } = app;
    await connect();
    const numbers = recipients(3);
    const report = await sendWithoutAnswer(app, numbers);
    await switchOnApprovals(grace, { recipients: '1', channel: channels.support });
    await composeResend(ada, { count: 4 });
    await ada.submits();
    await ada.seesModal('Approval', 'Waiting for approval');
    await ada.closes();
    assert.match(wordsOf(await grace.sees(/Sale[\s\S]*Waiting for approval/)), /\*Recipients\*\n4/);
    await report(numbers.slice(0, 2));
    await app.app().settled();
    await grace.presses('Approve');
    await ada.sees(/\*Done:\* 2 recipients[\s\S]*2 already sent to/);
    assert.deepEqual(timesReached(app, numbers), [1, 1, 2]);
  });

  it('by a resend that runs, with a text for each', async (test) => {
    const app = await joinTestApp(test, { env: { ...options.env, CAMPAIGN_MESSAGES_PER_SECOND: '1' } });
    const { ada, provider, connect, channels } = app;
    await connect();
    const numbers = recipients(24);
    const report = await sendWithoutAnswer(app, numbers);
    await composeResend(ada, { count: 25, text: 'Dear {{name}}, our shop opens at nine' });
    await start(ada, channels.support);
    await provided(provider, 25 + 1);
    await ada.closes();
    await ada.presses('Pause');
    await ada.sees(`Paused by <@${ada.id}>`);
    await app.app().settled();
    const times = timesReached(app, numbers);
    const late = numbers.filter((_, index) => times[index] === 1);
    assert.ok(late.length > 1, 'it was sent before it was paused');
    const some = late.slice(1);
    await report(some);
    await ada.presses('Resume');
    await ada.sees(
      new RegExp(`\\*Done:\\* ${25 - some.length} recipients[\\s\\S]*${some.length} already sent to`),
    );
    assert.deepEqual(
      timesReached(app, some),
      some.map(() => 1),
    );
    assert.deepEqual(timesReached(app, late.slice(0, 1)), [2]);
  });
});

it('a review of a resend that was changed since sends nothing, and says so', async (test) => {
  const app = await joinTestApp(test, options);
  const { ada, connect, slack, provider } = app;
  await connect();
  await sendWithoutAnswer(app, recipients(1));
  await composeResend(ada, { count: 2, text: 'We open at eight' });
  const viewId = ada.modal()?.id ?? assert.fail('no modal');
  const submitFormer = slack.later({ do: 'submit', person: ada.id, viewId });
  await ada.closes();
  await ada.types('/sms', 'bulk list');
  await ada.seesModal('Campaigns');
  await ada.presses('Open');
  await ada.seesModal('Campaign review', 'We open at eight');
  await ada.presses('Edit');
  await ada.seesModal('New campaign');
  await ada.fills('Message', 'We open at nine');
  await ada.submits();
  await ada.seesModal('Campaign review', 'We open at nine');
  const requests = provider.record.length;
  const before = slack.exchanges.length;
  await submitFormer();
  await app.app().settled();
  const told = JSON.stringify(slack.exchanges.slice(before).map(({ answer }) => answer));
  assert.match(told, /New text since you last looked[^}]*Nothing was sent[\s\S]*We open at nine/);
  assert.equal(provider.record.length, requests);
  await ada.submits();
  await provided(provider, 4);
  assert.deepEqual(
    provider.record.map(({ text }) => text),
    ['Our shop opens at nine', 'We open at nine'],
  );
});

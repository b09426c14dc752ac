import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import {
  compose,
  downloads,
  eventually,
  followUp,
  personal,
  reached,
  recipients,
  start,
} from '../support/campaigns.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { entersPrice } from '../support/slack/price-steps.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { steppedTimers } from '../support/stepped-timers.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

/** 80 a second of the machine: a test that steers a campaign has 900 recipients, so that its end doesn't come first. */
const slow = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '8' } };
const fast = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };

describe('a provider that refuses', () => {
  it('for a low balance pauses the campaign, which goes to the rest once it is resumed', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test, fast);
    await connect();
    provider.setBalance(0);
    await compose(ada, { pasted: recipients(120).join(' ') });
    await start(ada);
    await ada.sees(/\*Paused:\* 120 recipients[\s\S]*The balance is too low/);
    assert.equal(provider.record.length, 0);
    provider.setBalance(1_000_000);
    await ada.closes();
    await ada.presses('Resume');
    await ada.sees('*Done:* 120 recipients');
    assert.deepEqual(reached(provider.record), recipients(120).sort());
  });

  it('for a low balance is foreseen in the review, and the pause says what the rest needs', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test, fast);
    await connect();
    await entersPrice(grace, { amount: '4.25' });
    provider.setBalance(504.25);
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await compose(ada, { file: ['Phone', ...recipients(300)].join('\n') });
    await ada.seesModal('Campaign review', 'Balance too low for everyone');
    await start(ada);
    const paused = wordsOf(
      await ada.sees(
        /\*Paused:\* 300 recipients[\s\S]*The balance is too low\.\nThe rest needs about 850 for 200 recipients at 4\.25 a page\.\nTop up the account, then resume\./,
      ),
    );
    assert.equal(paused.match(/\b200\b/g)?.length, 1, paused);
    provider.setBalance(1_000_000);
    await ada.closes();
    await ada.presses('Resume');
    await ada.sees('*Done:* 300 recipients');
  });

  it('in the middle of a campaign notifies its creator', async (test) => {
    const { ada, grace, provider, connect, channels } = await joinTestApp(test, slow);
    await connect();
    await compose(ada, { file: personal(recipients(900)), text: 'Hello {{name}}' });
    await start(ada, channels.support);
    await grace.sees('*Sending:*');
    provider.setBalance(0);
    const ring = await grace.sees(`<@${ada.id}> Your campaign is paused: balance too low.`);
    assert.equal(ring.threadTs, (await grace.sees('The balance is too low')).ts);
  });

  it('that comes again after a resume in vain notifies its creator no second time, and is named in lists', async (test) => {
    const { ada, provider, connect, app, restart } = await startTestApp(test, slow);
    await connect();
    await compose(ada, { file: personal(recipients(100)), text: 'Hello {{name}}' });
    await start(ada, support);
    await ada.sees('*Sending:*');
    provider.setBalance(0);
    await ada.sees('Your campaign is paused: balance too low.');
    const asked = () => provider.arrivals.filter(({ operation }) => operation === 'messages.send').length;
    const before = asked();
    await ada.closes();
    await ada.presses('Resume');
    await eventually(() => asked() > before, 'a request after the resume');
    const paused = { workspaceId: 'T0SWITCH', userId: ada.id, states: ['paused'], limit: 1 } as const;
    await eventually(
      async () => (await app().services.campaigns.listRecent(paused)).length === 1,
      'the second pause',
    );
    // Whatever is due is posted then.
    await restart();
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns', /\*Paused:\* 100 recipients[\s\S]*\nReason: balance too low\n/);
    await ada.closes();
    await ada.types('/sms', 'history');
    await ada.seesModal('History', /\*Paused\* · balance too low/);
    assert.equal(ada.messages().filter(({ text }) => text.includes('Your campaign is paused')).length, 1);
  });

  it('in the middle of a campaign notifies its creator later if Slack refuses the message, and never once it was resumed', async (test) => {
    const timers = steppedTimers({ from: 60_000 });
    const { clock, pass } = stoppedClock();
    const { ada, slack, provider, connect, log } = await startTestApp(test, { ...slow, clock, timers });
    const nextRound = async () => {
      pass(60_000);
      await timers.advance(60_000);
    };
    const missed = () => (log().match(/could not be notified yet/g) ?? []).length;
    const rings = () => ada.messages().filter(({ text }) => text.includes('Your campaign is paused'));
    await connect();
    await compose(ada, { file: personal(recipients(900)), text: 'Hello {{name}}' });
    await start(ada, support);
    await ada.sees('*Sending:*');
    slack.fault('chat.postMessage', { status: 429, retryAfter: 30 });
    provider.setBalance(0);
    await eventually(() => missed() === 1, 'a notice that Slack did not take');
    assert.deepEqual(rings(), []);
    await nextRound();
    await ada.sees('<@U0AGENT> Your campaign is paused: balance too low.');

    provider.setBalance(1_000_000);
    await ada.closes();
    await ada.presses('Resume');
    await ada.sees('*Sending:*');
    slack.fault('chat.postMessage', { status: 429, retryAfter: 30 });
    provider.setBalance(0);
    await eventually(() => missed() === 2, 'another');
    provider.setBalance(1_000_000);
    await ada.presses('Resume');
    await ada.sees('*Sending:*');
    await nextRound();
    await ada.presses('Cancel campaign');
    await ada.seesModal('Cancel campaign');
    await ada.submits();
    await ada.sees('Cancelled by');
    assert.equal(rings().length, 1);
  });

  it('while Slack is down notifies its creator after a restart, once', async (test) => {
    const { ada, slack, provider, connect, log, stopApp, startApp, restart } = await startTestApp(test, slow);
    await connect();
    await compose(ada, { file: personal(recipients(900)), text: 'Hello {{name}}' });
    await start(ada, support);
    const { ts } = await ada.sees('*Sending:*');
    slack.goDown();
    provider.setBalance(0);
    const asked = () => provider.arrivals.filter(({ operation }) => operation === 'messages.send').length;
    await eventually(() => asked() > provider.record.length, 'a refusal');
    await eventually(() => log().includes('progress could not be shown yet'), 'Slack to be missed');
    await stopApp();
    slack.comeUp();
    await startApp();
    const ring = await ada.sees('<@U0AGENT> Your campaign is paused: balance too low.');
    assert.equal(ring.threadTs, ts);
    await restart();
    await ada.sees('The balance is too low');
    assert.equal(ada.messages().filter(({ text }) => text.includes('Your campaign is paused')).length, 1);
  });

  it('does not notify the creator of a pause if they have cancelled the campaign since', async (test) => {
    const { ada, slack, provider, connect, log, restart, stopApp } = await startTestApp(test, slow);
    await connect();
    await compose(ada, { file: personal(recipients(900)), text: 'Hello {{name}}' });
    await start(ada, support);
    await ada.sees('*Sending:*');
    slack.fault('chat.postMessage', { status: 429, retryAfter: 30 });
    provider.setBalance(0);
    await eventually(() => log().includes('could not be notified yet'), 'a notice that Slack did not take');
    await ada.closes();
    await ada.presses('Cancel campaign');
    await ada.seesModal('Cancel campaign');
    await ada.submits();
    await ada.sees('Cancelled by');
    await restart();
    await stopApp();
    assert.deepEqual(
      ada.messages().filter(({ text }) => text.includes('our campaign')),
      [],
    );
  });

  it('the sender ID pauses the campaign as well', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test, fast);
    await connect();
    await compose(ada, { pasted: recipients(2).join(' '), from: 'NotMine' });
    await start(ada);
    await ada.sees(/\*Paused:\* 2 recipients[\s\S]*sender ID/i);
    assert.equal(provider.record.length, 0);
  });

  it('some recipients has these rejected, which may be retried, and leaves unconfirmed ones alone', async (test) => {
    const { ada, grace, slack, provider, connect, channels } = await joinTestApp(test, fast);
    await connect();
    const numbers = [...recipients(3), '+2348030009422', '+2348030009601'];
    await compose(ada, { file: personal(numbers), text: 'Hello {{name}}' });
    await start(ada, channels.support);
    const summary = wordsOf(await ada.sees('*Done:* 5 recipients'));
    assert.match(summary, / · 3 sent · 1 rejected · 1 unconfirmed\n/);
    assert.match(summary, /The \*unconfirmed\* recipient may or may not/);
    assert.match(
      summary,
      /\nRejected: 1: The provider does not accept the phone number\nUnconfirmed: 1: The provider’s answer could not be read\n/,
    );
    await downloads(grace, 'Download rejected (1)');
    await grace.seesModal('Download', '*rejected.csv* is in your messages');
    const shared = await grace.sees('Rejected by the provider');
    assert.match(
      wordsOf(shared),
      /with the reason\nRejected: 1: The provider does not accept the phone number\n/,
    );
    const rejected = await resultOf(slack, shared);
    assert.deepEqual(rejected[0], '\uFEFFName,Phone,reason');
    assert.match(rejected[1] ?? '', /^Ada,\+2348030009422,.+/);
    await ada.closes();
    await followUp(ada, 'Unconfirmed (1)');
    await ada.seesModal('Campaign review', '*1 recipient');
    await ada.closes();
    await followUp(ada, 'Rejected (1)');
    await ada.seesModal('Campaign review', '*1 recipient');
    const before = provider.arrivals.length;
    await ada.submits();
    await ada.sees('*Done:* 1 recipient');
    assert.equal(provider.arrivals.length, before + 1);
  });
});

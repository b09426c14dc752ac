import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, eventually, personal, provided, reached, recipients, start } from '../support/campaigns.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';
import { advanceUntil, steppedTimers } from '../support/stepped-timers.ts';
import { runningClock, stoppedClock } from '../support/time/test-clock.ts';

/** 80 a second of the machine: a test that steers a campaign has 900 recipients, so that its end doesn't come first. */
const slow = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '8' } };
const slowest = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '1' } };
const fast = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };

/** Time that passes by steps of the test. Waits of less than `from` milliseconds last as long as they say. */
function movedTime(options: Parameters<typeof steppedTimers>[0] = {}) {
  const { clock, pass } = options.from === undefined ? stoppedClock() : runningClock();
  const timers = steppedTimers(options);
  const step = async (ms: number) => {
    pass(ms);
    await timers.advance(ms);
  };
  return { clock, timers, elapsed: clock.elapsed, step };
}

describe('a campaign under way', () => {
  it('is paused, resumed and cancelled by its creator and admins, and by nobody else', async (test) => {
    const { ada, grace, guy, slack, provider, app, connect, channels } = await joinTestApp(test, slow);
    await connect();
    slack.setRole(guy.id, 'member');
    await compose(ada, { file: personal(recipients(900)), text: 'Hello {{name}}' });
    await start(ada, channels.support);
    await ada.sees('*Sending:*');
    await guy.presses('Pause');
    await guy.sees('This campaign is gone, or isn’t yours.');
    await guy.presses('Cancel campaign');
    assert.equal(guy.modal(), undefined, 'refused before the question');
    await ada.closes();
    await ada.presses('Pause');
    await guy.sees(`Paused by <@${ada.id}>`);
    const sent = provider.record.length;
    await grace.presses('Resume');
    await ada.sees(/\*Sending:\*[\s\S]*Resumed by <@U0ADMIN\w*>/);
    await provided(provider, sent + 4);
    await grace.presses('Cancel campaign');
    await grace.seesModal('Cancel campaign', /\d+ recipients won’t get it\. This can’t be undone\./);
    await grace.submits();
    const shown = wordsOf(await ada.sees(/Cancelled by <@U0ADMIN\w*>[\s\S]*\d+ not sent/));
    const cancelledAt = provider.record.length;
    assert.ok(cancelledAt < 900 && cancelledAt > 0);
    assert.match(shown, new RegExp(`${900 - cancelledAt} not sent`));
    // A double click makes one file.
    const download = `Download not sent (${900 - cancelledAt})`;
    await ada.presses('Download…');
    await ada.seesModal('Download');
    await Promise.all([ada.presses(download), ada.presses(download)]);
    await ada.sees('customers.csv* · Not sent');
    await app().settled();
    assert.equal(ada.messages().filter(({ files = [] }) => files.length > 0).length, 1);
    const [titles, ...rows] = await resultOf(slack, await ada.sees('customers.csv* · Not sent'));
    assert.equal(titles, '\uFEFFName,Phone', 'as the file was');
    const rest = rows.map((row) => row.replace(/^Ada,/, ''));
    assert.deepEqual([...reached(provider.record), ...rest].sort(), recipients(900).sort());
  });

  it('updates its message at most every three seconds, however fast it is sent', async (test) => {
    const { step, elapsed, ...moved } = movedTime();
    const { ada, slack, connect } = await startTestApp(test, {
      ...moved,
      env: { CAMPAIGN_MESSAGES_PER_SECOND: '10' },
    });
    await connect();
    const updates = () => slack.exchanges.filter(({ what }) => what === 'chat.update').length;
    await compose(ada, { file: personal(recipients(60)), text: 'Hello {{name}}' });
    // Before its message is posted, because that takes time too.
    const startedAt = elapsed();
    await start(ada, support);
    await advanceUntil(ada.sees('*Done:* 60 recipients'), () => step(50));
    const seconds = (elapsed() - startedAt) / 1_000;
    assert.ok(seconds >= 3, `${seconds} s`);
    // One more for its end, which is shown at once.
    assert.ok(updates() <= seconds / 3 + 1, `${updates()} updates in ${seconds} s`);
  });

  it('continues after a restart, in the same message', async (test) => {
    const { step, ...moved } = movedTime();
    const { ada, slack, provider, connect, restart } = await startTestApp(test, { ...slow, ...moved });
    await connect();
    await compose(ada, { file: personal(recipients(16)), text: 'Hello {{name}}' });
    await start(ada, support);
    await advanceUntil(ada.sees('*Sending:*'), () => step(50));
    await advanceUntil(restart(), () => step(50));
    await advanceUntil(ada.sees('*Done:* 16 recipients'), () => step(50));
    assert.deepEqual(reached(provider.record), recipients(16).sort());
    assert.equal(slack.snapshot(ada.id).messages.filter(({ channel }) => channel === support).length, 1);
  });

  it('gets no second message while the first stands, and one once that is gone and Slack has not confirmed its end', async (test) => {
    const { step, ...moved } = movedTime({ from: 1_000 });
    const { ada, slack, connect } = await startTestApp(test, { ...slowest, ...moved });
    const passing = <Result>(awaited: Promise<Result>, ms = 1_000) => advanceUntil(awaited, () => step(ms));
    await connect();
    await compose(ada, { file: personal(recipients(16)), text: 'Hello {{name}}' });
    await start(ada, support);
    await passing(ada.sees('*Sending:*'), 50);
    slack.faultBy((method) => (method === 'chat.update' ? { cut: true, after: true } : undefined));
    const { ts } = await passing(ada.sees('*Done:* 16 recipients'));
    const updates = () => slack.exchanges.filter(({ what }) => what === 'chat.update').length;
    const before = updates();
    await passing(slack.until(() => updates() > before + 1, 'the end to be shown again'));
    const inChannel = () => slack.snapshot(ada.id).messages.filter(({ channel }) => channel === support);
    assert.deepEqual(
      inChannel().map((message) => message.ts),
      [ts],
    );
    slack.expire(new Date(Number(ts) * 1_000 + 1));
    slack.faultBy(() => undefined);
    assert.notEqual((await passing(ada.sees('*Done:* 16 recipients'))).ts, ts);
    assert.equal(inChannel().length, 1);
  });

  it('is sent while Slack is down, and shows how it ended once Slack is back', async (test) => {
    const { step, ...moved } = movedTime({ from: 1_000 });
    const { ada, slack, provider, connect, log } = await startTestApp(test, { ...fast, ...moved });
    await connect();
    provider.setBalance(1_000_000);
    await compose(ada, { pasted: recipients(150).join(' ') });
    await ada.seesModal('Campaign review');
    await ada.fills('Post progress to', 'A channel');
    await ada.fills('Channel', support);
    slack.goDown();
    await ada.submits();
    await provided(provider, 150);
    await eventually(() => log().includes('progress could not be shown yet'), 'Slack to be missed');
    slack.comeUp();
    // Its connection to Slack was cut: whether its message stands in the channel, it does not know.
    const shown = await advanceUntil(ada.sees(/This may be in[\s\S]*\*Done:\* 150 recipients/), () =>
      step(1_000),
    );
    assert.notEqual(shown.channel, support);
    assert.equal(ada.messages().filter(({ channel }) => channel === support).length, 0);
  });

  it('waits as long as Slack asks it to', async (test) => {
    const { step, ...moved } = movedTime({ from: 1_000 });
    const { ada, slack, connect, log } = await startTestApp(test, { ...fast, ...moved });
    await connect();
    await compose(ada, { pasted: recipients(3).join(' ') });
    await ada.seesModal('Campaign review');
    slack.fault('chat.postMessage', { status: 429, retryAfter: 6 });
    await ada.submits();
    await eventually(() => log().includes('progress could not be shown yet'), 'Slack to refuse a message');
    const posts = () => slack.exchanges.filter(({ what }) => what === 'chat.postMessage').length;
    const refused = posts();
    await step(5_500);
    assert.equal(posts(), refused);
    await advanceUntil(ada.sees('*Done:* 3 recipients'), () => step(100));
  });

  it('reports to its creator when the channel cannot be posted to', async (test) => {
    const { ada, connect, channels } = await joinTestApp(test, fast);
    await connect();
    await compose(ada, { pasted: recipients(3).join(' ') });
    await start(ada, channels.campaigns);
    const told = await ada.sees(/Not posted: Switchboard isn’t in <#[\s\S]*\*Done:\* 3 recipients/);
    assert.notEqual(told.channel, channels.campaigns);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings } from '../../src/config/settings.ts';
import { openStore } from '../../src/store/store.ts';
import { runProgram } from '../support/app/app-process.ts';
import { bundleProgram } from '../support/app/program-bundle.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, provided, recipients, start } from '../support/campaigns.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { type SlackUser, support } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';
import { steppedTimers } from '../support/stepped-timers.ts';
import { runningCampaign } from '../support/store/stored-campaigns.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

/** Opens the review of a message whose outcome goes to a channel. */
async function reviewForChannel(person: SlackUser): Promise<void> {
  await person.types('/sms');
  await person.fills('To', '+2348031234567');
  await person.fills('Sender ID', 'PalmMarket');
  await person.fills('Message', 'Hello');
  await person.fills('Show the result', 'In a channel');
  await person.submits();
  await person.seesModal('Message review');
}

const outcomes = (person: SlackUser) =>
  person.messages().filter(({ text }) => text.includes('Delivery isn’t confirmed'));

describe('an outage or a kill loses no outcome', () => {
  it('delivers an outcome after a restart when Slack was down at the send', async (test) => {
    const { ada, slack, provider, connect, restart } = await startTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    slack.fault('conversations.open', { error: 'internal_error' });
    await ada.submits();
    await ada.seesModal('Message accepted');
    assert.ok(!ada.messages().some(({ text }) => text.includes('Delivery isn’t confirmed')));
    await restart();
    await ada.sees('Delivery isn’t confirmed');
    assert.equal(provider.record.length, 1);
  });

  it('finishes requests in flight before it stops', async (test) => {
    const { ada, provider, connect, stopApp } = await startTestApp(test, { slowness: 300 });
    await connect();
    await review(ada, { to: '+2348030009603', text: 'Hello' });
    await ada.seesModal('Message review');
    await ada.submits();
    await stopApp();
    assert.equal(provider.record.length, 1);
    await ada.sees('Delivery isn’t confirmed');
  });

  it('delivers an outcome within about a minute of Slack’s return', async (test) => {
    const timers = steppedTimers({ from: 60_000 });
    const { clock, pass } = stoppedClock();
    const { ada, slack, connect } = await startTestApp(test, { clock, timers });
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    slack.fault('conversations.open', { status: 500 });
    await ada.submits();
    await ada.seesModal('Message accepted');
    assert.ok(!ada.messages().some(({ text }) => text.includes('Delivery isn’t confirmed')));
    pass(60_000);
    await timers.advance(60_000);
    await ada.sees('Delivery isn’t confirmed');
  });

  it('stops only after the outcome in flight is delivered and recorded', async (test) => {
    const { ada, slack, provider, connect, startApp, stopApp, log } = await startTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    const notice = slack.hold('conversations.open');
    await ada.submits();
    await notice.arrived;
    const stopping = stopApp();
    // The receiver closes first; from then on stopping waits only for the notice.
    while ((await ada.types('/sms', 'help')).trouble === undefined) {}
    assert.ok(!log().includes('Switchboard has stopped'));
    notice.release();
    await stopping;
    await startApp();
    await stopApp();
    const notices = ada.messages().filter(({ text }) => text.includes('Delivery isn’t confirmed'));
    assert.equal(notices.length, 1);
    assert.equal(provider.record.length, 1);
  });

  it('reports a message as unconfirmed after a kill during its send, and does not repeat it', async (test) => {
    const responses = heldResponses(test);
    const { ada, provider, connect, startApp, stopApp, env } = await startTestApp(test, {
      transport: 'socket',
      wait: responses.wait,
    });
    await connect();
    await stopApp();

    const killed = runProgram(test, env, await bundleProgram());
    await killed.ready();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    provider.orderFault({ operation: 'messages.send', fault: { kind: 'slow_headers' } });
    await ada.submits();
    await responses.arrived;
    await killed.kill();

    const next = killed.restart();
    await ada.sees(/The message to \+234 803 123 4567 may or may not have been sent/);
    assert.equal((await next.stop()).code, 0);
    await startApp();
    await stopApp();
    const notices = ada.messages().filter(({ text }) => text.includes('may or may not have been sent'));
    assert.equal(notices.length, 1);
    assert.equal(provider.arrivals.filter(({ operation }) => operation === 'messages.send').length, 1);
  });

  it('says within about a minute that an outcome may or may not be in its channel', async (test) => {
    const timers = steppedTimers({ from: 60_000 });
    const { clock, pass } = stoppedClock();
    const { ada, slack, connect } = await startTestApp(test, { clock, timers });
    await connect();
    await reviewForChannel(ada);
    slack.fault('chat.postMessage', { status: 503 });
    slack.fault('conversations.open', { status: 503 });
    await ada.submits();
    await ada.seesModal('Message accepted');
    assert.deepEqual(outcomes(ada), []);
    pass(60_000);
    await timers.advance(60_000);
    await ada.sees(/This may be in[\s\S]*Delivery isn’t confirmed/);
    assert.deepEqual(outcomes(ada).length, 1);
  });

  for (const inChannel of [true, false]) {
    const where = inChannel ? 'in a channel' : 'for one person';
    it(`marks an outcome ${where} as a possible repetition after a kill before Slack’s response`, async (test) => {
      const { ada, slack, connect, startApp, stopApp, env } = await startTestApp(test, {
        transport: 'socket',
      });
      await connect();
      await stopApp();
      const killed = runProgram(test, env, await bundleProgram());
      await killed.ready();
      await (inChannel ? reviewForChannel(ada) : review(ada, { to: '+2348031234567', text: 'Hello' }));
      await ada.seesModal('Message review');
      slack.fault('chat.postMessage', { hang: true, after: true });
      await ada.submits();
      await ada.sees('Delivery isn’t confirmed');
      await killed.kill();

      await startApp();
      await ada.sees(inChannel ? 'This may be in' : 'You may have this message already');
      assert.equal(outcomes(ada).length, 2);
      assert.equal(outcomes(ada).filter(({ channel }) => channel === support).length, inChannel ? 1 : 0);
    });
  }

  it('does not post a campaign to its channel again after a kill before Slack’s response', async (test) => {
    const { ada, slack, provider, connect, startApp, stopApp, env } = await startTestApp(test, {
      transport: 'socket',
    });
    await connect();
    await stopApp();
    const killed = runProgram(test, env, await bundleProgram());
    await killed.ready();
    await compose(ada, { pasted: recipients(3).join(' '), name: 'Opening' });
    slack.fault('chat.postMessage', { hang: true, after: true });
    await start(ada, support);
    const first = await ada.sees(/Opening/);
    assert.equal(first.channel, support);
    await provided(provider, 3);
    await killed.kill();

    await startApp();
    const shown = await ada.sees(/This may be in[\s\S]*\*Done:\* 3 recipients/);
    assert.notEqual(shown.channel, support);
    assert.equal(ada.messages().filter(({ channel }) => channel === support).length, 1);
  });

  it('notifies everyone else when a hundred campaigns belong to a user who has left', async (test) => {
    const { ada, slack, stopApp, startApp, env, log } = await startTestApp(test);
    await stopApp();
    const store = await openStore(await readSettings(env));
    for (let count = 0; count <= 101; count += 1) {
      const createdBy = count === 101 ? ada.id : 'U0GONE';
      const id = String(count).padStart(3, '0');
      const change = { workspaceId: 'T0SWITCH', id, name: `Campaign ${id}`, createdBy };
      await runningCampaign(store, [], change);
      await store.campaigns.move('T0SWITCH', id, ['running'], 'done');
    }
    await store.close();

    await startApp();
    await ada.sees('Campaign 101');
    await stopApp();
    assert.equal(log().match(/a user could not be notified/g)?.length, 101);
    const attempts = () => slack.exchanges.filter(({ what }) => what === 'conversations.open').length;
    const before = attempts();
    await startApp();
    await stopApp();
    assert.equal(attempts(), before);
  });

  it('tells the creator of a campaign that its list was not read to the end after a kill', async (test) => {
    const { ada, slack, provider, connect, startApp, stopApp, env } = await startTestApp(test, {
      transport: 'socket',
    });
    await connect();
    await stopApp();
    const killed = runProgram(test, env, await bundleProgram());
    await killed.ready();
    const download = slack.hold('files-pri');
    await compose(ada, { file: ['Phone', ...recipients(100_000)].join('\n'), name: 'Opening' });
    await download.arrived;
    download.release();
    await ada.seesModal('New campaign', 'Importing recipients');
    await killed.kill();

    await startApp();
    await ada.sees(/Import of Opening interrupted[\s\S]*Nothing was sent/);
    assert.equal(provider.record.length, 0);
  });

  it('tells the creator of a campaign as well when it was killed before Slack had handed over the file', async (test) => {
    const { ada, slack, connect, startApp, stopApp, env } = await startTestApp(test, { transport: 'socket' });
    await connect();
    await stopApp();
    const killed = runProgram(test, env, await bundleProgram());
    await killed.ready();
    const download = slack.hold('files-pri');
    await compose(ada, { file: ['Phone', ...recipients(3)].join('\n'), name: 'Opening' });
    await download.arrived;
    await ada.seesModal('New campaign', 'You can close this: you get a message when the preview is ready.');
    await killed.kill();

    await startApp();
    await ada.sees(/Import of Opening interrupted[\s\S]*Nothing was sent/);
  });

  it('reconnects its socket after an outage of Slack', async (test) => {
    const { ada, slack } = await startTestApp(test, { transport: 'socket' });
    const tries = () => slack.exchanges.filter(({ what }) => what === 'apps.connections.open').length;
    slack.fault('apps.connections.open', { status: 500 });
    slack.fault('apps.connections.open', { error: 'invalid_auth' });
    slack.dropSockets();
    await slack.until(() => tries() === 4 && slack.sockets === 1, 'a new socket at the third attempt');
    await ada.types('/sms', 'help');
    await ada.sees('with /sms');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings } from '../../src/config/settings.ts';
import { openStore } from '../../src/store/store.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { outcomes, review, reviewForChannel } from '../support/slack/sms-steps.ts';
import { steppedTimers } from '../support/stepped-timers.ts';
import { runningCampaign } from '../support/store/stored-campaigns.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

describe('an outage or a kill loses no outcome', () => {
  it('delivers an outcome after a restart when Slack was down at the send', async (test) => {
    const { ada, slack, provider, connect, restart } = await startTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    slack.fault('conversations.open', { error: 'internal_error' });
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.ok(!ada.messages().some(({ text }) => text.includes('*Sent* to')));
    await restart();
    await ada.sees('*Sent* to');
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
    await ada.sees('*Sent* to');
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
    await ada.seesModal('Message sent');
    assert.ok(!ada.messages().some(({ text }) => text.includes('*Sent* to')));
    pass(60_000);
    await timers.advance(60_000);
    await ada.sees('*Sent* to');
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
    const notices = ada.messages().filter(({ text }) => text.includes('*Sent* to'));
    assert.equal(notices.length, 1);
    assert.equal(provider.record.length, 1);
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
    await ada.seesModal('Message sent');
    assert.deepEqual(outcomes(ada), []);
    pass(60_000);
    await timers.advance(60_000);
    await ada.sees(/This may be in[\s\S]*waiting for delivery/);
    assert.deepEqual(outcomes(ada).length, 1);
  });

  it('notifies everyone else when earlier campaigns belong to a user who has left', async (test) => {
    const { ada, slack, stopApp, startApp, env, log } = await startTestApp(test);
    await stopApp();
    const store = await openStore(await readSettings(env));
    for (const id of ['1', '2', '3', '4', '5', '6']) {
      const createdBy = id === '6' ? ada.id : 'U0GONE';
      const change = { workspaceId: 'T0SWITCH', id, name: `Campaign ${id}`, createdBy };
      await runningCampaign(store, [], change);
      await store.campaigns.move('T0SWITCH', id, ['running'], 'done');
    }
    await store.close();

    await startApp();
    await ada.sees('Campaign 6');
    await stopApp();
    assert.equal(log().match(/a user could not be notified/g)?.length, 5);
    const attempts = () => slack.exchanges.filter(({ what }) => what === 'conversations.open').length;
    const before = attempts();
    await startApp();
    await stopApp();
    assert.equal(attempts(), before);
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heldAnswers } from '../support/held-answers.ts';
import { runProgram } from '../support/program.ts';
import { review } from '../support/sms.ts';
import { stoppedClock } from '../support/stopped-clock.ts';
import { startWorkbench } from '../support/workbench.ts';

describe('nothing is lost in silence', () => {
  it('tells an outcome once Slack is back, if it was away when the message went', async (test) => {
    const { ada, slack, provider, connect, restart } = await startWorkbench(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Send this?');
    slack.fault('conversations.open', { error: 'internal_error' });
    await ada.submits();
    await ada.seesModal('Sent');
    assert.ok(!ada.messages().some(({ text }) => text.includes('accepted the message')));
    await restart();
    await ada.sees('accepted the message');
    assert.equal(provider.record.length, 1);
  });

  it('finishes what is under way before it stops', async (test) => {
    const { ada, provider, connect, stopApp } = await startWorkbench(test, { slowness: 300 });
    await connect();
    await review(ada, { to: '+2348030009603', text: 'Hello' });
    await ada.seesModal('Send this?');
    await ada.submits();
    await stopApp();
    assert.equal(provider.record.length, 1);
    await ada.sees('accepted the message');
  });

  it('tells an outcome by itself, within a minute or so, once Slack is back', async (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] });
    const { clock, pass } = stoppedClock();
    const { ada, slack, connect } = await startWorkbench(test, { clock });
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Send this?');
    slack.fault('conversations.open', { status: 500 });
    await ada.submits();
    await ada.seesModal('Sent');
    assert.ok(!ada.messages().some(({ text }) => text.includes('accepted the message')));
    pass(60_000);
    test.mock.timers.tick(60_000);
    await ada.sees('accepted the message');
  });

  it('stops only once the outcome of what was under way is told, and told for good', async (test) => {
    const { ada, slack, provider, connect, startApp, stopApp, log } = await startWorkbench(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Send this?');
    const telling = slack.hold('conversations.open');
    await ada.submits();
    await telling.arrived;
    const stopping = stopApp();
    // The door is closed first: from then on it waits for nothing but the telling.
    while ((await ada.types('/sms', 'help')).trouble === undefined);
    assert.ok(!log().includes('Switchboard has stopped'));
    telling.release();
    await stopping;
    await startApp();
    await stopApp();
    const told = ada.messages().filter(({ text }) => text.includes('accepted the message'));
    assert.equal(told.length, 1);
    assert.equal(provider.record.length, 1);
  });

  it('says that it is not confirmed what a killed program was sending, and does not send it again', async (test) => {
    const answers = heldAnswers(test);
    const { ada, provider, connect, startApp, stopApp, env } = await startWorkbench(test, {
      transport: 'socket',
      wait: answers.wait,
    });
    await connect();
    await stopApp();

    const killed = runProgram(test, env);
    await killed.says('Switchboard is ready');
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Send this?');
    provider.orderFault({ operation: 'messages.send', fault: { kind: 'slow_headers' } });
    await ada.submits();
    await answers.arrived;
    killed.child.kill('SIGKILL');
    await killed.ended;

    const next = runProgram(test, env);
    await ada.sees(/Unconfirmed: the message to \+234803•••4567 may have been sent/);
    next.child.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
    await startApp();
    await stopApp();
    const told = ada.messages().filter(({ text }) => text.includes('may have been sent'));
    assert.equal(told.length, 1);
    assert.equal(provider.arrivals.filter(({ operation }) => operation === 'messages.send').length, 1);
  });

  it('is back by itself after Slack was away, over a socket', async (test) => {
    const { ada, slack } = await startWorkbench(test, { transport: 'socket' });
    const tries = () => slack.exchanges.filter(({ what }) => what === 'apps.connections.open').length;
    slack.fault('apps.connections.open', { status: 500 });
    slack.fault('apps.connections.open', { error: 'invalid_auth' });
    slack.dropSockets();
    await slack.until(() => tries() === 4 && slack.sockets === 1, 'a new socket at the third attempt');
    await ada.types('/sms', 'help');
    await ada.sees('with /sms');
  });
});

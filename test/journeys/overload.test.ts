import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';

/** Starts the app with an event loop delay that the test sets, on every instance. */
async function startDelayable(test: TestContext) {
  const listeners: ((delayMs: number, atMs: number) => void)[] = [];
  const report = (delayMs: number, atMs: number) => {
    for (const listener of listeners) {
      listener(delayMs, atMs);
    }
  };
  const testApp = await startTestApp(test, {
    watchDelay: (listener) => {
      listeners.push(listener);
      return () => {};
    },
  });
  await testApp.connect();
  // The Home is shown again meanwhile.
  await testApp.app().settled();
  let now = 0;
  const late = (delayMs: number, forMs: number) => {
    report(delayMs, now);
    now += forMs;
    report(delayMs, now);
  };
  return {
    ...testApp,
    overload: () => late(600, 1_000),
    recover: () => late(0, 1_000),
    late,
    sent: () => testApp.provider.arrivals.filter(({ operation }) => operation === 'messages.send').length,
  };
}

const busy = /Switchboard is too busy right now\. Check your history before you try again/;

describe('under overload', () => {
  it('answers a command at once with the reason, and does nothing else for it', async (test) => {
    const { ada, slack, overload, recover } = await startDelayable(test);
    overload();
    const calls = slack.exchanges.filter(({ from }) => from === 'app').length;
    await ada.types('/sms');
    await ada.sees(busy);
    assert.equal(slack.exchanges.filter(({ from }) => from === 'app').length, calls);
    assert.equal(ada.modal(), undefined);
    recover();
    await ada.types('/sms');
    await ada.seesModal('New message');
  });

  it('shows the reason in a form, which keeps its values and can be submitted later', async (test) => {
    const { ada, overload, recover, sent } = await startDelayable(test);
    await ada.types('/sms');
    await ada.seesModal('New message');
    for (const [label, text] of [
      ['To', '+2348031234567'],
      ['Route', 'Transactional (DND)'],
      ['Sender ID', 'PalmMarket'],
      ['Message', 'Your order is on its way'],
    ] as const) {
      await ada.fills(label, text);
    }
    overload();
    await ada.submits();
    assert.match(Object.values(ada.modal()?.errors ?? {}).join(), busy, 'beside a field');
    recover();
    await ada.submits();
    await ada.seesModal('Message review', '1 recipient');

    overload();
    await ada.submits();
    await ada.seesModal('Error', busy);
    recover();
    await ada.closes();
    await ada.seesModal('Message review');
    assert.equal(sent(), 0);
    await ada.submits();
    await ada.seesModal('Message sent', 'waiting for delivery');
    assert.equal(sent(), 1);
  });

  it('does not claim that nothing was sent on a second press of Send, when the first was accepted', async (test) => {
    const { ada, slack, overload, sent } = await startDelayable(test);
    await review(ada, { to: '+2348031234567', text: 'Your order is on its way' });
    const { id } = await ada.seesModal('Message review');
    const pressAgain = slack.later({ do: 'submit', person: ada.id, viewId: id });
    await ada.submits();
    await ada.seesModal('Message sent');
    overload();
    await pressAgain();
    const { view } = await ada.seesModal('Error', busy);
    assert.doesNotMatch(wordsOf(view), /[Nn]othing was sent/);
    assert.equal(sent(), 1);
  });

  it('serves everybody after a single delay, or a short one', async (test) => {
    const { ada, late } = await startDelayable(test);
    late(20_000, 900);
    await ada.types('/sms');
    await ada.seesModal('New message');
  });
});

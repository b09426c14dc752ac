import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startWorkbench, type Transport, transports } from '../support/app/test-app.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';

/** A program whose event loop is as late as the test says. */
async function begin(test: TestContext, transport: Transport) {
  let say = (_delayMs: number, _atMs: number) => {};
  const workbench = await startWorkbench(test, {
    transport,
    watchDelay: (report) => {
      say = report;
      return () => {};
    },
  });
  await workbench.connect();
  let now = 0;
  const late = (delayMs: number, forMs: number) => {
    say(delayMs, now);
    now += forMs;
    say(delayMs, now);
  };
  return {
    ...workbench,
    overload: () => late(600, 1_000),
    recover: () => late(0, 1_000),
    late,
    sent: () => workbench.provider.arrivals.filter(({ operation }) => operation === 'messages.send').length,
  };
}

const busy =
  /Switchboard is very busy just now and did not take this. Look in your history before you try again/;

for (const transport of transports) {
  describe(`under overload, over ${transport}`, () => {
    it('says so at a command, at once, and does nothing else for it', async (test) => {
      const { ada, slack, overload, recover } = await begin(test, transport);
      overload();
      const calls = slack.exchanges.filter(({ from }) => from === 'app').length;
      await ada.types('/sms');
      await ada.sees(busy);
      assert.equal(slack.exchanges.filter(({ from }) => from === 'app').length, calls);
      assert.equal(ada.modal(), undefined);
      recover();
      await ada.types('/sms');
      await ada.seesModal('Send an SMS');
    });

    it('says so at a form, which stays as it is and can be submitted afterwards', async (test) => {
      const { ada, overload, recover, sent } = await begin(test, transport);
      await ada.types('/sms');
      await ada.seesModal('Send an SMS');
      for (const [label, text] of [
        ['To', '+2348031234567'],
        ['Route', 'DND'],
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
      await ada.seesModal('Send this?', '1 recipient');

      overload();
      await ada.submits();
      await ada.seesModal('That did not work', busy);
      recover();
      await ada.closes();
      await ada.seesModal('Send this?');
      assert.equal(sent(), 0);
      await ada.submits();
      await ada.seesModal('Sent', 'The provider accepted the message');
      assert.equal(sent(), 1);
    });

    it('does not say that nothing was sent at a second press of Send, where the first was taken', async (test) => {
      const { ada, slack, overload, sent } = await begin(test, transport);
      await review(ada, { to: '+2348031234567', text: 'Your order is on its way' });
      const { id } = await ada.seesModal('Send this?');
      const pressAgain = slack.later({ do: 'submit', person: ada.id, viewId: id });
      await ada.submits();
      await ada.seesModal('Sent');
      overload();
      await pressAgain();
      const { view } = await ada.seesModal('That did not work', busy);
      assert.doesNotMatch(wordsOf(view), /[Nn]othing was sent/);
      assert.equal(sent(), 1);
    });

    it('serves everybody where the program was late only once, or late for a short time', async (test) => {
      const { ada, late } = await begin(test, transport);
      late(20_000, 900);
      await ada.types('/sms');
      await ada.seesModal('Send an SMS');
    });
  });
}

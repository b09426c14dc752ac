import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ProviderOperationName } from '../../sandbox/provider/operation-names.ts';
import type { UserActionResult } from '../../sandbox/slack/protocol.ts';
import type { MachineClocks } from '../../src/lib/clock.ts';
import { commands } from '../../src/slack/app/commands.ts';
import { addPhonebook } from '../support/contacts.ts';
import { heldAnswers } from '../support/held-answers.ts';
import { review, startFrom } from '../support/sms.ts';
import { runningClock } from '../support/stopped-clock.ts';
import { startWorkbench, type Transport, transports } from '../support/workbench.ts';

/** Slack gives three seconds: an acknowledgement is to be far below that, whatever the provider does. */
function assertAtOnce({ milliseconds, trouble }: UserActionResult): void {
  assert.equal(trouble, undefined);
  assert.ok(milliseconds < 1_000, `acknowledged after ${milliseconds} ms`);
}

/** What each command opens when it is typed alone. */
const titles: Record<(typeof commands)[number]['name'], string> = {
  sms: 'Send an SMS',
  otp: 'One-time code',
  'dnd-check': 'Do-Not-Disturb check',
  number: 'Look up a number',
  'sender-id': 'Sender IDs',
  contacts: 'Contacts',
  esim: 'eSIM plans',
  'esim-status': 'eSIM status',
  switchboard: 'Switchboard',
};

/** A provider that holds answers back until they are released. */
async function begin(test: TestContext, transport?: Transport, clock?: MachineClocks) {
  const answers = heldAnswers(test);
  const workbench = await startWorkbench(test, {
    wait: answers.wait,
    ...(transport === undefined ? {} : { transport }),
    ...(clock === undefined ? {} : { clock }),
  });
  const holdNext = (operation: ProviderOperationName) =>
    workbench.provider.orderFault({ operation, fault: { kind: 'slow_headers' } });
  return { ...workbench, answers, holdNext };
}

for (const transport of transports) {
  describe(`Slack does not wait for a slow provider, over ${transport}`, () => {
    it('acknowledges a command at once, shows that it is at work, and then the result', async (test) => {
      const { ada, connect, answers, holdNext } = await begin(test, transport);
      await connect();
      holdNext('insight.checkDnd');
      assertAtOnce(await ada.types('/dnd-check', '+2348031234567'));
      await ada.sees('Checking 1 number');
      await answers.arrived;
      answers.release();
      await ada.sees('1 on Do-Not-Disturb');
    });

    it('acknowledges every command at once and opens its modal, while the provider answers nothing', async (test) => {
      const { provider, ...bench } = await begin(test, transport);
      await addPhonebook(bench);
      provider.orderFault({ fault: { kind: 'slow_headers' }, times: Infinity });
      for (const { name } of commands) {
        assertAtOnce(await bench.grace.types(`/${name}`));
        await bench.grace.seesModal(titles[name]);
        await bench.grace.closes();
      }
    });

    it('acknowledges the review at once, shows that the message goes, and then how that ended', async (test) => {
      const { ada, connect, answers, holdNext } = await begin(test, transport);
      await connect();
      await review(ada, { to: '+2348031234567', text: 'Hello' });
      await ada.seesModal('Send this?');
      holdNext('messages.send');
      assertAtOnce(await ada.submits());
      await ada.seesModal('Sending');
      await answers.arrived;
      answers.release();
      await ada.seesModal('Sent');
    });

    it('acknowledges a click on Send at once, shows that the message goes, and then how that ended', async (test) => {
      const { ada, grace, connect, answers, holdNext } = await begin(test, transport);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await ada.types('/sms', '+2348031234567 Hello');
      await ada.sees('Your message is ready');
      holdNext('messages.send');
      assertAtOnce(await ada.presses('Send'));
      await ada.sees('Sending…');
      await answers.arrived;
      answers.release();
      await ada.sees('accepted the message');
    });
  });
}

describe('Slack does not wait for a slow provider', { concurrency: true }, () => {
  it('tries a key in sight of the admin, who then sees that it is connected', async (test) => {
    const { grace, provider, answers, holdNext } = await begin(test);
    holdNext('senderIds.list');
    await grace.types('/switchboard');
    await grace.fills('API key', provider.account.key);
    const { trouble } = await grace.submits();
    assert.equal(trouble, undefined);
    await grace.seesModal('Connect the provider', 'Trying the key with the provider…');
    answers.release();
    await grace.seesModal('Switchboard', 'Ready.');
  });

  it('tries a key in sight of the admin, who then sees that it is wrong, and can type another', async (test) => {
    const { grace, provider, answers, holdNext } = await begin(test);
    holdNext('senderIds.list');
    await grace.types('/switchboard');
    await grace.fills('API key', 'sandbox-key-that-is-wrong');
    await grace.submits();
    await grace.seesModal('Connect the provider', 'Trying the key with the provider…');
    answers.release();
    await grace.seesModal('Connect the provider', 'does not know this key');
    await grace.fills('API key', provider.account.key);
    await grace.submits();
    await grace.seesModal('Switchboard', 'Ready.');
  });

  it('offers what was typed as a sender ID, with a note that the list is slow, and later the list', async (test) => {
    const { ada, slack, connect, answers, holdNext } = await begin(test);
    await connect();
    holdNext('senderIds.list');
    await ada.types('/sms');
    const offered = () =>
      JSON.stringify(slack.exchanges.findLast(({ what }) => what.includes('sender'))?.answer);
    assert.deepEqual(await ada.searches('Sender ID', 'MyShop'), ['MyShop']);
    assert.match(offered(), /The provider is slow: type yours/);
    answers.release();
    assert.deepEqual(await ada.searches('Sender ID', 'palmm'), ['PalmMarket', 'palmm']);
    assert.doesNotMatch(offered(), /slow/);
  });

  it('offers what it knows from before, with a note, where a list cannot be had in time', async (test) => {
    const { clock, pass } = runningClock();
    const { ada, slack, provider, connect, holdNext } = await begin(test, 'http', clock);
    await connect();
    const [{ iccid } = assert.fail('no eSIM')] = provider.account.sims;
    for (const note of [undefined, 'The provider is slow: shown as last seen']) {
      for (const [command, label, query, found] of [
        ['/sms', 'Sender ID', 'PalmM', 'PalmMarket'],
        ['/esim-status', 'Pick an eSIM', iccid.slice(-6), iccid],
      ] as const) {
        await ada.types(command);
        assert.match((await ada.searches(label, query)).join(), new RegExp(found));
        const offered = JSON.stringify(
          slack.exchanges.findLast(({ what }) => what.includes('block_suggestion'))?.answer,
        );
        assert.equal(offered.includes(note ?? 'slow'), note !== undefined, offered);
        await ada.closes();
      }
      pass(30 * 60_000);
      holdNext('senderIds.list');
      holdNext('esims.list');
    }
  });

  it('says that it is checking who is on Do-Not-Disturb before a generic message, and then shows it', async (test) => {
    const { ada, connect, answers, holdNext } = await begin(test);
    await connect();
    holdNext('insight.checkDnd');
    await review(ada, { to: '+2348031234567', text: 'Hello', route: 'Generic' });
    await ada.seesModal('One moment', 'Checking who is on Do-Not-Disturb');
    await answers.arrived;
    answers.release();
    await ada.seesModal('Send this?', 'Do-Not-Disturb');
  });

  it('lets the person close what shows that the message goes: the outcome comes, and no fault', async (test) => {
    const { ada, connect, answers, holdNext, stopApp, log } = await begin(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Send this?');
    holdNext('messages.send');
    await ada.submits();
    await ada.seesModal('Sending');
    await answers.arrived;
    await ada.closes();
    answers.release();
    await stopApp();
    await ada.sees('accepted the message');
    assert.equal(ada.modal(), undefined);
    assert.doesNotMatch(log(), /fault/);
  });
});

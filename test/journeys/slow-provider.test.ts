import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import type { ProviderOperationName } from '../../sandbox/provider/operation-names.ts';
import type { UserActionResult } from '../../sandbox/slack/protocol.ts';
import type { Time } from '../../src/lib/time/clock.ts';
import { commands } from '../../src/slack/app/manifest.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { eventually } from '../support/campaigns.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

/** Slack has its acknowledgement although the provider's response is held until the test releases it. */
function assertAcknowledged({ trouble }: UserActionResult): void {
  assert.equal(trouble, undefined);
}

/** The title of the modal that each command opens when it is typed alone. */
const titles: Record<(typeof commands)[number]['name'], string> = {
  sms: 'New message',
  otp: 'One-time code',
  'dnd-check': 'Do-Not-Disturb check',
  number: 'Number lookup',
  'sender-id': 'Sender IDs',
  contacts: 'Contacts',
  esim: 'eSIM plans',
  'esim-status': 'eSIM status',
  switchboard: 'Switchboard',
};

/** Starts the app with a provider that holds responses back until the test releases them. */
async function startHeld(test: TestContext, clock?: Time) {
  const responses = heldResponses(test);
  const testApp = await startTestApp(test, {
    wait: responses.wait,
    ...(clock === undefined ? {} : { clock }),
  });
  const holdNext = (operation: ProviderOperationName) =>
    testApp.provider.orderFault({ operation, fault: { kind: 'slow_headers' } });
  return { ...testApp, responses, holdNext };
}

describe('with a slow provider', () => {
  it('acknowledges a command at once, shows its progress, then the result', async (test) => {
    const { ada, connect, responses, holdNext } = await startHeld(test);
    await connect();
    holdNext('insight.checkDnd');
    assertAcknowledged(await ada.types('/dnd-check', '+2348031234567'));
    await ada.sees('Checking 1 number');
    await responses.arrived;
    responses.release();
    await ada.sees('1 of 1 on Do-Not-Disturb');
  });

  it('acknowledges every command at once and opens its modal, without any response', async (test) => {
    const { provider, ...testApp } = await startHeld(test);
    await addPhonebook(testApp);
    provider.orderFault({ fault: { kind: 'slow_headers' }, times: Infinity });
    for (const { name } of commands) {
      assertAcknowledged(await testApp.grace.types(`/${name}`));
      await testApp.grace.seesModal(titles[name]);
      await testApp.grace.closes();
    }
  });

  it('acknowledges the review at once, shows “Sending”, then the outcome', async (test) => {
    const { ada, connect, responses, holdNext } = await startHeld(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    holdNext('messages.send');
    assertAcknowledged(await ada.submits());
    await ada.seesModal('Message', 'Sending…');
    await responses.arrived;
    responses.release();
    await ada.seesModal('Message sent');
  });

  it('shows the outcome, with masked numbers, also where the database fails right after the send', async (test) => {
    const { ada, connect, responses, holdNext, env } = await startHeld(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    holdNext('messages.send');
    await ada.submits();
    await responses.arrived;
    const database = new Database(join(env.DATA_DIR ?? '', 'switchboard.db'));
    database.exec('alter table operation_text rename to lost');
    responses.release();
    await ada.seesModal('Message sent', '+234803•••4567');
    // The app closes what it has open.
    database.exec('alter table lost rename to operation_text');
    database.close();
  });

  it('acknowledges a click on Send at once, shows “Sending…”, then the outcome', async (test) => {
    const { ada, grace, connect, responses, holdNext } = await startHeld(test);
    await connect();
    await startFrom(grace, 'PalmMarket');
    await ada.types('/sms', '+2348031234567 Hello');
    await ada.sees('Your message is ready');
    holdNext('messages.send');
    assertAcknowledged(await ada.presses('Send'));
    await ada.sees('Sending…');
    await responses.arrived;
    responses.release();
    await ada.sees('*Sent* to');
  });
});

describe('with a slow provider', { concurrency: true }, () => {
  it('shows that a key is being tried, then that it is connected', async (test) => {
    const { grace, provider, responses, holdNext } = await startHeld(test);
    holdNext('senderIds.list');
    await grace.types('/switchboard');
    await grace.fills('API key', provider.account.key);
    const { trouble } = await grace.submits();
    assert.equal(trouble, undefined);
    await grace.seesModal('Provider connection', 'Testing the key with the provider…');
    responses.release();
    await grace.seesModal('Switchboard', 'to send the first message');
  });

  it('shows that a key is being tried, then that it is wrong, and accepts another', async (test) => {
    const { grace, provider, responses, holdNext } = await startHeld(test);
    holdNext('senderIds.list');
    await grace.types('/switchboard');
    await grace.fills('API key', 'sandbox-key-that-is-wrong');
    await grace.submits();
    await grace.seesModal('Provider connection', 'Testing the key with the provider…');
    responses.release();
    await grace.seesModal('Provider connection', 'does not know this key');
    await grace.fills('API key', provider.account.key);
    await grace.submits();
    await grace.seesModal('Switchboard', 'to send the first message');
  });

  it('offers the typed text as a sender ID, with a note that the list is slow, and later the list', async (test) => {
    const { ada, slack, connect, responses, holdNext } = await startHeld(test);
    await connect();
    holdNext('senderIds.list');
    await ada.types('/sms');
    const offered = () =>
      JSON.stringify(slack.exchanges.findLast(({ what }) => what.includes('sender'))?.answer);
    assert.deepEqual(await ada.searches('Sender ID', 'MyShop'), ['MyShop']);
    assert.match(offered(), /The provider is slow: type yours/);
    responses.release();
    assert.deepEqual(await ada.searches('Sender ID', 'palmm'), ['PalmMarket', 'palmm']);
    assert.doesNotMatch(offered(), /slow/);
  });

  it('offers a list as last seen, with a note, when the current one is not there in time', async (test) => {
    const { clock, pass } = runningClock();
    const { ada, slack, provider, connect, holdNext } = await startHeld(test, clock);
    await connect();
    const [{ iccid } = assert.fail('no eSIM')] = provider.account.sims;
    for (const note of [undefined, 'The provider is slow: shown as last seen']) {
      for (const [command, label, query, found] of [
        ['/sms', 'Sender ID', 'PalmM', 'PalmMarket'],
        ['/esim-status', 'Pick an eSIM', iccid.slice(-6), iccid],
      ] as const) {
        await ada.types(command);
        // On a busy machine the first list may come after the answer to the first search.
        await eventually(async () => (await ada.searches(label, query)).includes(found), `${found} on offer`);
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

  it('shows the Do-Not-Disturb check before a message on the generic route, then its result', async (test) => {
    const { ada, connect, responses, holdNext } = await startHeld(test);
    await connect();
    holdNext('insight.checkDnd');
    await review(ada, { to: '+2348031234567', text: 'Hello', route: 'Promotional (generic)' });
    await ada.seesModal('Message', 'Checking Do-Not-Disturb…');
    await responses.arrived;
    responses.release();
    await ada.seesModal('Message review', 'Do-Not-Disturb');
  });

  it('sends the outcome by message, without a fault, when “Sending” is closed', async (test) => {
    const { ada, connect, responses, holdNext, stopApp, log } = await startHeld(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    holdNext('messages.send');
    await ada.submits();
    await ada.seesModal('Message', 'Sending…');
    await responses.arrived;
    await ada.closes();
    responses.release();
    await stopApp();
    await ada.sees('*Sent* to');
    assert.equal(ada.modal(), undefined);
    assert.doesNotMatch(log(), /fault/);
  });
});

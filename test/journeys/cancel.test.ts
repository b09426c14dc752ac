import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import type { UserAction } from '../../sandbox/slack/protocol.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { findLocalPlans } from '../support/slack/esim-steps.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

/** A review of `/sms`, and its buttons as pressed on a device that still shows it. */
async function typedReview({ ada, slack }: TestWorkspace) {
  await ada.types('/sms', '+2348031234567 Hello');
  const { channel, ts } = await ada.sees('Your message is ready');
  const press = (actionId: string): UserAction => ({
    do: 'action',
    person: ada.id,
    container: { type: 'message', channel, ts },
    blockId: 'review',
    actionId,
  });
  const shown = () => wordsOf(ada.messages().find((message) => message.ts === ts)?.blocks ?? []);
  return {
    send: slack.later(press('sms_send')),
    edit: slack.later(press('sms_edit')),
    cancel: slack.later(press('sms_cancel')),
    shows: (words: string) => slack.until(() => shown().includes(words), `a review that says ${words}`),
    shown,
  };
}

/** The last step of every modal that sends or buys something, and the reply to a submission that comes too late. */
const lastSteps: { what: string; said: string; reach: (testApp: TestWorkspace) => Promise<unknown> }[] = [
  {
    what: 'the review of an SMS',
    said: 'You cancelled this message. Nothing was sent.',
    reach: async ({ ada }) => {
      await review(ada, { to: '+2348031234567', text: 'Hello' });
      await ada.seesModal('Message review');
    },
  },
  {
    what: 'a one-time code',
    said: 'You cancelled this. Nothing was sent.',
    reach: async ({ ada }) => {
      await ada.types('/otp', '+2348031234567');
      await ada.fills('Send by', 'Voice call');
      await ada.seesModal('One-time code', 'A call reads the code out');
    },
  },
  {
    what: 'an order of an eSIM',
    said: 'You cancelled this. Nothing was bought.',
    reach: async ({ ada }) => {
      await findLocalPlans(ada, 'Kenya');
      await ada.presses('Create');
      await ada.seesModal('New eSIM');
    },
  },
  {
    what: 'a request for a sender ID',
    said: 'You cancelled this. Nothing was requested.',
    reach: async ({ ada }) => {
      await ada.types('/sender-id', 'request');
      await ada.fills('Sender ID', 'PalmFresh');
      await ada.seesModal('Sender ID request', 'Looks good');
      await ada.fills('Sample message', 'Fresh mangoes have arrived at our shop');
      await ada.fills('Company', 'Palm Market Ltd');
    },
  },
  {
    what: 'a contact to be added',
    said: 'You cancelled this. The phonebook is unchanged.',
    reach: async ({ ada }) => {
      await ada.types('/contacts', 'add +2348031234567');
      await ada.seesModal('New contact');
    },
  },
  {
    what: 'the review of an upload',
    said: 'You cancelled this. Nothing was uploaded.',
    reach: async ({ ada }) => {
      await ada.types('/contacts', 'upload');
      await ada.drops('File', 'new.csv', 'phone,name\n08031234567,Ada');
      await ada.submits();
      await ada.seesModal('Upload review');
    },
  },
];

const topView = (person: SlackUser) => person.modal()?.id ?? assert.fail('no modal');

describe('Cancel', () => {
  it('cancels a message for good: a view still open on another device sends nothing, and says so', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, grace, provider, connect, restart } = testApp;
    await connect();
    await startFrom(grace, 'PalmMarket');
    const { send, edit, cancel, shows } = await typedReview(testApp);
    await ada.presses('Cancel');
    await shows('Cancelled. Nothing was sent.');
    await send();
    await shows('You cancelled this message. Nothing was sent.');
    await cancel();
    await shows('Cancelled. Nothing was sent.');
    await restart();
    await send();
    await shows('You cancelled this message. Nothing was sent.');
    await edit();
    assert.equal(ada.modal(), undefined);
    assert.equal(provider.record.length, 0);
  });

  it('after the send has begun reports that, with the outcome', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await startFrom(grace, 'PalmMarket');
    const { send, cancel, shows } = await typedReview(testApp);
    await ada.presses('Send');
    await shows('*Sent* to');
    await cancel();
    await shows('Too late to cancel: sending had already started.');
    await shows('*Sent* to');
    await send();
    assert.equal(provider.record.length, 1);
  });

  it('and Send at the same moment do one of the two, and report which', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, provider, connect, app } = testApp;
    await connect();
    await startFrom(grace, 'PalmMarket');
    for (const first of ['send', 'cancel', 'send', 'cancel'] as const) {
      const before = provider.record.length;
      const { send, cancel, shown } = await typedReview(testApp);
      await Promise.all(first === 'send' ? [send(), cancel()] : [cancel(), send()]);
      await app().settled();
      const wasSent = provider.record.length > before;
      assert.match(shown(), wasSent ? /\*Sent\* to/ : /[Cc]ancelled.*Nothing was sent/);
      assert.equal(ada.modal(), undefined);
    }
  });

  it('in a modal cancels what its last step would have done', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, provider, app } = testApp;
    await addPhonebook(testApp);
    for (const { what, said, reach } of lastSteps) {
      await reach(testApp);
      const before = provider.arrivals.length;
      assert.ok(ada.modal(), what);
      const submit = slack.later({ do: 'submit', person: ada.id, viewId: topView(ada) });
      await ada.closes();
      const updates = slack.exchanges.length;
      await submit();
      await app().settled();
      const told = JSON.stringify(slack.exchanges.slice(updates).map(({ request }) => request));
      assert.ok(told.includes(said), `${what}: ${told}`);
      assert.ok(!told.includes('Open the form again'), `${what}: ${told}`);
      assert.deepEqual(
        provider.arrivals.slice(before).filter(({ method }) => method !== 'GET'),
        [],
        what,
      );
    }
  });
});

describe('Cancel in a review', () => {
  const message = { to: '+2348031234567', text: 'Hello' };
  const failing = (wanted: string) => (method: string) => (method === wanted ? { status: 503 } : undefined);
  const none = () => undefined;

  it('cancels the message even if Slack does not identify the user, now or when it was submitted', async (test) => {
    const { clock, pass } = stoppedClock();
    const testApp = await startTestApp(test, { clock });
    const { ada, slack, provider, connect } = testApp;
    await connect();
    for (const submitted of [false, true]) {
      await review(ada, message);
      await ada.seesModal('Message review');
      pass(60_000);
      slack.faultBy(failing('users.info'));
      if (submitted) {
        await ada.submits();
        await ada.seesModal('Message review', 'didn’t say in time who you are');
      }
      const submit = slack.later({ do: 'submit', person: ada.id, viewId: topView(ada) });
      await ada.closes();
      slack.faultBy(none);
      const before = slack.exchanges.length;
      await submit();
      await testApp.restart();
      const told = JSON.stringify(slack.exchanges.slice(before).map(({ request }) => request));
      assert.ok(told.includes('You cancelled this message. Nothing was sent.'), told);
      assert.equal(provider.record.length, 0);
    }
  });

  it('logs a cancellation that could not be stored', async (test) => {
    const dataDir = temporaryFolder(test);
    const { ada, connect, log } = await startTestApp(test, { dataDir, database: 'sqlite' });
    await connect();
    await review(ada, message);
    await ada.seesModal('Message review');
    const database = new Database(join(dataDir, 'switchboard.db'));
    test.after(() => database.close());
    database.exec('begin immediate');
    await ada.closes();
    database.exec('rollback');
    assert.match(log(), /"level":50[^\n]*the work of a closed form could not be cancelled/);
  });
});

it('a failed message can be tried again after a retry was cancelled', async (test) => {
  const testApp = await joinTestApp(test);
  const { ada, grace, provider, connect } = testApp;
  await connect();
  await startFrom(grace, 'PalmMarket');
  provider.orderFault({ operation: 'messages.send', fault: { kind: 'status', status: 400, message: 'No' } });
  await ada.types('/sms', '+2348031234567 Hello');
  await ada.presses('Send');
  await ada.sees('Send again');
  for (const end of ['closes', 'submits'] as const) {
    await ada.presses('Send again');
    await ada.seesModal('New message');
    await ada.submits();
    await ada.seesModal('Message review');
    await ada[end]();
  }
  await ada.seesModal('Message sent');
  assert.equal(provider.record.length, 1);
});

it('a campaign’s review that is closed stays in the list', async (test) => {
  const testApp = await joinTestApp(test);
  const { ada, connect } = testApp;
  await connect();
  await ada.types('/sms', 'bulk');
  await ada.fills('To', 'Paste numbers');
  await ada.fills('Phone numbers', '+2348031234567');
  await ada.fills('Route', 'Transactional (DND)');
  await ada.fills('Sender ID', 'PalmMarket');
  await ada.fills('Message', 'Hello');
  await ada.submits();
  const { view } = await ada.seesModal('Campaign review');
  assert.match(wordsOf(view.close), /^Close$/);
  await ada.closes();
  await ada.types('/sms', 'bulk list');
  await ada.seesModal('Campaigns', 'Draft:* 1 recipient');
  await ada.presses('Discard');
  await ada.seesModal('Discard campaign', '1 recipient. Nothing has been sent yet.');
  await ada.submits();
  await ada.seesModal('Campaigns', 'No campaigns yet');
});

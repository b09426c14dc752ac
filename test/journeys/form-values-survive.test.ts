import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

const minute = 60_000;

const message = { to: '+2348031234567', text: 'Your order is on its way' };

/** Starts the app with held provider responses and a stopped clock. */
async function startHeld(test: TestContext, options: Parameters<typeof startTestApp>[1] = {}) {
  const responses = heldResponses(test);
  const { clock, pass } = stoppedClock();
  const testApp = await startTestApp(test, { ...options, clock, wait: responses.wait });
  await testApp.connect();
  return { ...testApp, responses, pass };
}

/** The same on SQLite, with a second connection to the database. Each statement waits for a lock for a second. */
async function startHeldOnFile(test: TestContext) {
  const dataDir = temporaryFolder(test);
  const testApp = await startHeld(test, { dataDir, database: 'sqlite', patience: 10_000 });
  const database = new Database(join(dataDir, 'switchboard.db'));
  test.after(() => database.close());
  return { ...testApp, database };
}

/** Returns the values of all fields of the top modal, as JSON. */
function filledIn({ modal }: SlackUser): string {
  return JSON.stringify(modal()?.values);
}

forOneAndThreeInstances(() => {
  describe('the values of a form survive', () => {
    it('a failed user lookup: an error beside a field, and the same form succeeds later', async (test) => {
      const { ada, slack, provider, pass } = await startHeld(test);
      await ada.types('/sms');
      await ada.fills('To', message.to);
      await ada.fills('Route', 'Transactional (DND)');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', message.text);
      pass(minute);
      slack.fault('users.info', { status: 503 });
      const { trouble } = await ada.submits();
      assert.equal(trouble, undefined);
      assert.match(ada.errorBeside('To') ?? '', /didn’t say in time who you are/);
      assert.match(filledIn(ada), /Your order is on its way/);
      await ada.submits();
      await ada.seesModal('Message review', message.text);
      assert.equal(provider.record.length, 0);
    });

    it('a locked database: an error beside a field says so, and where to look first', async (test) => {
      const { ada, database } = await startHeldOnFile(test);
      await ada.types('/sms');
      await ada.fills('To', message.to);
      await ada.fills('Route', 'Transactional (DND)');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', message.text);
      database.exec('begin immediate');
      await ada.submits();
      // Beside the field, or in the modal where the machine is so busy that Slack is answered first.
      await ada.seesTrouble(/Another program is using .* database.* check `?\/sms history`? before/);
      database.exec('rollback');
      await ada.submits();
      await ada.seesModal('Message review', message.text);
    });

    it('an unexpected fault: an error beside a field has its id', async (test) => {
      const { grace, database, log } = await startHeldOnFile(test);
      await grace.types('/switchboard');
      await grace.presses('Change defaults');
      await grace.fills('Sender ID', 'PalmMarket');
      database.exec(`create trigger broken before insert on keyv begin select raise(abort, 'broken'); end`);
      await grace.submits();
      const [, fault = ''] = /ref ([0-9a-f]{8})/.exec(grace.errorBeside('Sender ID') ?? '') ?? [];
      assert.ok(log().includes(`"fault":"${fault}"`));
      assert.match(filledIn(grace), /PalmMarket/);
    });

    it('an error in a review, which has no field: the review stays, with the error on top, and can be sent', async (test) => {
      const { ada, slack, provider, pass } = await startHeld(test);
      await review(ada, message);
      await ada.seesModal('Message review', message.text);
      pass(minute);
      slack.fault('users.info', { status: 503 });
      await ada.submits();
      await ada.seesModal('Message review', /didn’t say in time who you are[\s\S]*Your order is on its way/);
      assert.equal(provider.record.length, 0);
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.equal(provider.record.length, 1);
    });

    it('a failure after the acknowledgement: the form comes back filled in, and sends once', async (test) => {
      const { ada, grace, provider, connect, database } = await startHeldOnFile(test);
      await ada.types('/otp');
      await ada.fills('Send by', 'Voice call');
      await ada.fills('Phone number', '+2348031234568');
      await ada.fills('Who sees the result', 'In a channel');
      await ada.fills('Channel', 'C0CAMPAIGNS');
      await grace.types('/switchboard');
      await grace.presses('Disconnect');
      await grace.seesModal('Switchboard', 'Not connected');
      await ada.submits();
      await ada.seesModal('One-time code', 'Switchboard isn’t connected to the provider. Nothing was sent.');
      assert.match(filledIn(ada), /\+2348031234568.*"channel".*C0CAMPAIGNS/);
      await grace.closes();
      await connect();
      database.exec(
        `create trigger broken before update on operation begin select raise(abort, 'broken'); end`,
      );
      await ada.submits();
      await ada.seesModal('One-time code', 'Something went wrong');
      assert.match(filledIn(ada), /\+2348031234568/);
      database.exec('drop trigger broken');
      await ada.submits();
      await ada.seesModal('Code sent');
      assert.equal(provider.arrivals.filter(({ operation }) => operation === 'tokens.call').length, 1);
    });

    it('a failure after the form was closed: a message reopens it', async (test) => {
      const { ada, provider, responses, database } = await startHeldOnFile(test);
      await ada.types('/number');
      await ada.fills('Phone number', '+2348031234567');
      provider.orderFault({ operation: 'insight.query', fault: { kind: 'slow_headers' } });
      await ada.submits();
      await responses.arrived;
      await ada.closes();
      database.exec(`create trigger broken before insert on keyv begin select raise(abort, 'broken'); end`);
      responses.release();
      await ada.sees(/Number lookup.*Something went wrong/);
      await ada.presses('Open the form again');
      await ada.seesModal('Number lookup', 'Something went wrong');
      assert.match(filledIn(ada), /\+2348031234567/);
    });

    it('not a final error: its text comes back without the form', async (test) => {
      const testApp = await startHeld(test);
      await addPhonebook(testApp);
      const { ada, pass } = testApp;
      await ada.types('/contacts', 'upload');
      await ada.drops('File', 'new.csv', 'phone,name\n08031234567,Ada');
      await ada.submits();
      await ada.seesModal('Upload review');
      pass(25 * 60 * minute);
      await ada.submits();
      const { view } = await ada.seesModal('Error', 'too old, so nothing was uploaded.');
      assert.equal(view.submit, undefined);
    });

    it('not a secret: a key that could not be tried is not put back', async (test) => {
      const { grace, provider, responses, database } = await startHeldOnFile(test);
      await grace.types('/switchboard', 'connect');
      await grace.fills('API key', provider.account.key);
      provider.orderFault({ operation: 'senderIds.list', fault: { kind: 'slow_headers' } });
      await grace.submits();
      await grace.seesModal('Provider connection', 'Testing the key');
      database.exec(`create trigger broken before insert on keyv begin select raise(abort, 'broken'); end`);
      responses.release();
      await grace.seesModal('Provider connection', 'Something went wrong');
      assert.ok(!JSON.stringify(grace.modal()).includes(provider.account.key));
    });
  });

  describe('a click whose trigger expired', () => {
    const late = { error: 'expired_trigger_id' };

    it('shows the error above the button in a modal, whose fields keep their values', async (test) => {
      const { ada, slack, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/sender-id');
      await ada.fills('Name', 'Palm');
      await ada.seesModal('Sender IDs', 'Palm');
      slack.fault('views.push', late);
      await ada.presses('Request a sender ID');
      const { view } = await ada.seesModal('Sender IDs', 'That took too long. Try again.');
      const blocks = JSON.stringify(view);
      assert.ok(blocks.indexOf('That took too long') < blocks.indexOf('Request a sender ID'));
      assert.match(filledIn(ada), /Palm/);
      slack.fault('views.push', late);
      await ada.presses('Request a sender ID');
      await ada.seesModal('Sender IDs', /^(?:(?!too long)[\s\S])*too long(?:(?!too long)[\s\S])*$/);
      await ada.presses('Request a sender ID');
      await ada.seesModal('Sender ID request');
    });

    it('shows the error above the button in the Home', async (test) => {
      const { ada, slack, connect } = await joinTestApp(test);
      await connect();
      await ada.seesHome('*Connected*');
      slack.fault('views.open', late);
      await ada.presses('Send SMS');
      await slack.until(
        () => JSON.stringify(slack.snapshot(ada.id).home?.view).includes('That took too long'),
        'a Home that says so',
      );
      await ada.presses('Send SMS');
      await ada.seesModal('New message');
    });

    it('brings back a view that was replaced meanwhile', async (test) => {
      const testApp = await startHeld(test);
      await addPhonebook(testApp);
      const { ada, slack, provider, responses } = testApp;
      await ada.types('/contacts');
      await ada.seesModal('Contacts', 'Loyal customers');
      await ada.fills('Search contacts', '80');
      await ada.seesModal('Contacts', 'found in 18 contacts');
      provider.orderFault({ operation: 'phonebooks.contacts', fault: { kind: 'slow_headers' } });
      await ada.presses('Open');
      await ada.seesModal('Contacts', 'Loading contacts');
      slack.fault('views.update', { error: 'ratelimited' });
      responses.release();
      await ada.seesModal('Contacts', 'Slack is limiting');
      assert.match(filledIn(ada), /"value":"80"/);
    });
  });

  describe('an error after its modal was closed comes by message', () => {
    const busy = { error: 'ratelimited' };
    const lists = { operation: 'senderIds.list', fault: { kind: 'slow_headers' } } as const;

    it('after a command', async (test) => {
      const { ada, slack, provider, responses } = await startHeld(test);
      provider.orderFault(lists);
      await ada.types('/sender-id');
      await responses.arrived;
      await ada.closes();
      slack.fault('views.update', busy);
      responses.release();
      await ada.sees('Slack is limiting');
    });

    it('after a click that opened it', async (test) => {
      const { ada, slack, provider, responses } = await startHeld(test);
      provider.orderFault(lists);
      await ada.seesHome('*Connected*');
      await ada.presses('Sender IDs');
      await responses.arrived;
      await ada.closes();
      slack.fault('views.update', busy);
      responses.release();
      await ada.sees(/Sender IDs.*Slack is limiting/);
    });

    it('after a click in it', async (test) => {
      const testApp = await startHeld(test);
      await addPhonebook(testApp);
      const { ada, slack, provider, responses } = testApp;
      await ada.types('/contacts');
      await ada.seesModal('Contacts', 'Loyal customers');
      provider.orderFault({ operation: 'phonebooks.contacts', fault: { kind: 'slow_headers' } });
      await ada.presses('Open');
      await responses.arrived;
      await ada.closes();
      slack.fault('views.update', busy);
      responses.release();
      await ada.sees(/Contacts.*Slack is limiting/);
    });
  });

  describe('a loading view and then the result, on one click', () => {
    it('take two updates, neither of which conflicts', async (test) => {
      const testApp = await joinTestApp(test);
      await addPhonebook(testApp);
      const { ada, slack } = testApp;
      await ada.types('/contacts');
      await ada.seesModal('Contacts', 'Loyal customers');
      const updates = () => slack.exchanges.filter(({ what }) => what === 'views.update');
      const before = updates().length;
      await ada.presses('Open');
      await ada.seesModal('Contact', 'Back to the list');
      const responses = updates().slice(before);
      assert.equal(responses.length, 2);
      assert.doesNotMatch(JSON.stringify(responses), /hash_conflict/);
    });
  });
});

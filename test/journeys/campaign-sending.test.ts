import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, reached, recipients, start } from '../support/campaigns.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { forEachDatabase } from '../support/store/databases.ts';

const fast = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };

forEachDatabase(() => {
  describe('a campaign', () => {
    it('goes from a file through its review to each recipient once, and ends as a summary', async (test) => {
      const { ada, provider, connect, channels } = await joinTestApp(test, fast);
      provider.setBalance(1_000_000);
      await connect();
      const numbers = recipients(250);
      await compose(ada, {
        file: ['Name;Phone', ...numbers.map((number) => `Ada;${number}`), `Bo;${numbers[0]}`, 'Cy;0803'].join(
          '\n',
        ),
      });
      const review = wordsOf((await ada.seesModal('Campaign review')).view);
      assert.match(review, /\*250 recipients, 250 pages\* \(1 page each\)/);
      assert.match(review, /Skipped: 1 duplicate[\s\S]*1 row skipped\*: 1 too short/);
      assert.equal(provider.record.length, 0);
      await start(ada, channels.support);
      await ada.seesModal('Started', `<#${channels.support}>`);
      const summary = wordsOf(await ada.sees(/\*Done:\* 250 recipients/));
      assert.match(summary, /customers\.csv[\s\S]* · all sent\n/);
      assert.deepEqual(reached(provider.record), [...numbers].sort());
      assert.deepEqual([...new Set(provider.record.map(({ text }) => text))], ['Our shop opens at nine']);
      assert.equal(ada.messages().filter(({ channel }) => channel === channels.support).length, 1);
    });

    it('says of skipped rows which columns are empty, and of none that is filled', async (test) => {
      const { ada, connect } = await joinTestApp(test, fast);
      await connect();
      const filled = 'First name,Town,Order,Phone\nAda,Lagos,A1,08050000010';
      const text = 'Hello {{first_name}} in {{town}}: {{order}} is ready';
      const orderless = `${filled}\nBayo,Jos,,08050000020\nJoy,Aba,,08050000030`;
      await compose(ada, { file: `${orderless}\nUche,Enugu,A4,`, text });
      const shown = await ada.seesModal(
        'Campaign review',
        /\*3 rows skipped\*: 2 have no order: add a fallback like \{\{order\|text if empty\}\} · 1 without a phone number/,
      );
      assert.doesNotMatch(wordsOf(shown.view), /no (?:first_name|town)/);
      await ada.closes();
      await compose(ada, { file: `${orderless}\nUche,,A4,08050000040\nUju,,,08050000050`, text });
      await ada.seesModal(
        'Campaign review',
        /\*4 rows skipped\*: 4 have no town \(2\) or no order \(3\): add fallbacks like \{\{town\|text if empty\}\}/,
      );
    });

    it('has a text for each recipient, and rejects rows that have no value for it', async (test) => {
      const { ada, slack, provider, connect } = await joinTestApp(test, fast);
      await connect();
      const file = 'First name,Phone\nAda,08050000010\n,08050000020\nJoy,08050000030';
      await compose(ada, { file, text: 'Hello {{fist_name}}' });
      assert.match(
        ada.errorBeside('Message') ?? '',
        /\{\{fist_name\}\} is not a column[\s\S]*\{\{first_name\}\}/,
      );
      await ada.fills('Message', 'Hello {{first_name}}');
      await ada.submits();
      await ada.seesModal(
        'Campaign review',
        /\*2 recipients[\s\S]*1 has no first_name: add a fallback[\s\S]*Hello Ada/,
      );
      await ada.presses('Download skipped rows (1)');
      const written = await ada.sees('Skipped rows');
      assert.deepEqual((await resultOf(slack, written)).slice(1), ['3,,08050000020,has no first_name']);
      await ada.seesModal('Campaign review', '*invalid.csv* is in your messages');
      await ada.presses('Edit');
      await ada.seesModal('New campaign', 'customers.csv, uploaded earlier');
      await ada.fills('Message', 'Hello {{first_name|there}}');
      await ada.submits();
      await ada.seesModal('Campaign review', '*3 recipients');
      await start(ada);
      await ada.sees('*Done:* 3 recipients');
      assert.deepEqual(provider.record.map(({ to, text }) => [to[0], text]).sort(), [
        ['2348050000010', 'Hello Ada'],
        ['2348050000020', 'Hello there'],
        ['2348050000030', 'Hello Joy'],
      ]);
    });

    it('reads the numbers from the column that the user chooses', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test, fast);
      await connect();
      await compose(ada, { file: 'Phone,Second phone\n08050000010,08050000110\n08050000020,08050000120' });
      const asked = await ada.seesModal('Campaign review', 'Use the numbers in Phone, such as');
      assert.equal(asked.view.submit, undefined);
      await ada.presses('Confirm');
      await ada.seesModal('Campaign review', '+234805•••0010');
      await ada.chooses('Phone number column', 'Second phone');
      await ada.seesModal('Campaign review', '+234805•••0110');
      await ada.presses('Edit');
      await ada.fills('Name', 'Relatives');
      await ada.submits();
      await ada.seesModal('Campaign review', /Relatives[\s\S]*\+234805•••0110/);
      await start(ada);
      await ada.sees('*Done:* 2 recipients');
      assert.deepEqual(reached(provider.record), ['+2348050000110', '+2348050000120']);
    });

    it('goes to all contacts of a phonebook', async (test) => {
      const testApp = await joinTestApp(test, fast);
      const { ada, provider } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts');
      await ada.presses('Send to the whole phonebook');
      await ada.seesModal('New campaign', 'Loyal customers');
      await ada.fills('Route', 'Transactional (DND)');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Hello {{first_name|there}}');
      await ada.submits();
      await start(ada);
      await ada.sees(/Loyal customers[\s\S]*\*Done:\*/);
      assert.equal(provider.record.length, 18);
      assert.equal(new Set(reached(provider.record)).size, 18);
    });

    it('can be checked for Do-Not-Disturb and tested before it is started', async (test) => {
      const { ada, grace, provider, connect } = await joinTestApp(test, fast);
      await connect();
      await compose(ada, { pasted: '08050000010 08050000027 08050000030', route: 'Promotional (generic)' });
      await ada.seesModal('Campaign review');
      await ada.presses('Check Do-Not-Disturb');
      await ada.seesModal(
        'Do-Not-Disturb',
        '*1 of 3 recipients (33%)* won’t get it on Promotional (generic), but you’re still charged. Transactional (DND) reaches them.',
      );
      await ada.closes();
      await ada.seesModal('Campaign review', '*1 of 3 recipients (33%)*');
      await ada.presses('Send a test to myself');
      await ada.fills('Your phone number', '0805');
      await ada.submits();
      assert.match(ada.errorBeside('Your phone number') ?? '', /too short/);
      await ada.fills('Your phone number', '08055550001');
      await grace.types('/switchboard');
      await grace.presses('Disconnect');
      await grace.seesModal('Switchboard', 'Not connected');
      await ada.submits();
      await ada.seesModal('Test message', 'Switchboard isn’t connected to the provider. Nothing was sent.');
      await grace.closes();
      await connect();
      await ada.submits();
      await ada.seesModal(
        'Test message',
        /Test sent\* to \+234805•••0001[\s\S]*Promotional \(generic\) doesn’t reach numbers on Do-Not-Disturb/,
      );
      await ada.sees('Test sent');
      assert.deepEqual(reached(provider.record), ['+2348055550001']);
      await ada.closes();
      await start(ada);
      await ada.sees('*Done:* 3 recipients');
      assert.equal(provider.record.length, 2);
      await compose(ada, { pasted: '08050000040' });
      await ada.seesModal('Campaign review', 'The Transactional (DND) route is for transactional messages.');
      await ada.presses('Send a test to myself');
      const form = await ada.seesModal('Test message', 'charged like any message.');
      assert.match(JSON.stringify(form.view), /"initial_value":"08055550001"/);
    });

    it('is imported once and started once, whatever is submitted twice', async (test) => {
      const { ada, slack, provider, connect } = await joinTestApp(test, fast);
      await connect();
      await compose(ada, { pasted: recipients(120).join('\n') });
      await slack.redeliver('view_submission');
      await ada.seesModal('Campaign review', '*120 recipients');
      await Promise.all([ada.submits(), ada.submits()]);
      await slack.redeliver('view_submission');
      await ada.sees('*Done:* 120 recipients');
      assert.deepEqual(reached(provider.record), recipients(120).sort());
      assert.equal(ada.messages().filter((message) => wordsOf(message).includes('Pasted numbers')).length, 1);
    });

    it('sends its review as a message to a user who closed the form while it was read', async (test) => {
      const responses = heldResponses(test);
      const testApp = await startTestApp(test, { ...fast, wait: responses.wait });
      const { ada, provider } = testApp;
      await addPhonebook(testApp);
      await ada.types('/sms', 'bulk');
      await ada.fills('To', 'A phonebook');
      await ada.seesModal('New campaign', 'Loyal customers');
      await ada.fills('Route', 'Transactional (DND)');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Our shop opens at nine');
      provider.orderFault({ operation: 'phonebooks.contacts', fault: { kind: 'slow_headers' } });
      await ada.submits();
      await ada.seesModal('New campaign', 'Importing recipients');
      await ada.closes();
      responses.release();
      await ada.sees('*Loyal customers is ready:* 18 recipients');
      await ada.presses('Review');
      await ada.seesModal('Campaign review', '*18 recipients');
      await ada.closes();
      await ada.types('/sms', 'bulk list');
      await ada.seesModal('Campaigns', 'Draft:* 18 recipients');
      await ada.presses('Open');
      await ada.seesModal('Campaign review', '*18 recipients');
      assert.equal(provider.record.length, 0);
      await ada.submits();
      await ada.sees('*Done:* 18 recipients');
      assert.equal(provider.record.length, 1);
    });

    it('tells a user who closed the form that its recipients could not be read', async (test) => {
      const testApp = await startTestApp(test, fast);
      const { ada, provider } = testApp;
      await addPhonebook(testApp);
      provider.orderFault({
        operation: 'phonebooks.contacts',
        fault: { kind: 'slow_headers', delay: 60_000 },
      });
      await ada.types('/sms', 'bulk');
      await ada.fills('To', 'A phonebook');
      await ada.seesModal('New campaign', 'Loyal customers');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Our shop opens at nine');
      await ada.submits();
      await ada.seesModal('New campaign', 'Importing recipients');
      await ada.closes();
      await provider.goDown();
      await ada.sees('*Import failed.*');
      await ada.presses('Edit');
      await ada.seesModal('New campaign', 'Our shop opens at nine');
    });

    it('shows how many rows of a long file are read, and stops reading when the program stops', async (test) => {
      const { ada, slack, provider, connect, stopApp } = await startTestApp(test, fast);
      await connect();
      // A fast machine would read them all before Slack has to be answered.
      const file = slack.hold('files-pri');
      await compose(ada, { file: ['Phone', ...recipients(150_000)].join('\n') });
      await file.arrived;
      await ada.seesModal('New campaign', 'Importing recipients…');
      const progress = ada.seesModal('New campaign', /Importing recipients…\* [\d,]+ rows so far/);
      file.release();
      await progress;
      await stopApp();
      await ada.seesModal('Import failed', 'Switchboard was restarted');
      assert.equal(provider.record.length, 0);
    });

    it('can be changed and started from its review after the program was restarted', async (test) => {
      const { ada, provider, connect, restart } = await startTestApp(test, fast);
      await connect();
      await compose(ada, { file: 'Account,Phone\n08090000010,08050000010\n08090000020,08050000020' });
      await ada.seesModal('Campaign review', 'Use the numbers in Phone, such as');
      await restart();
      await ada.chooses('Phone number column', 'Account');
      await ada.seesModal('Campaign review', '+234809•••0010');
      await start(ada);
      await ada.sees('*Done:* 2 recipients');
      assert.deepEqual(reached(provider.record), ['+2348090000010', '+2348090000020']);
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances, testedInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { manyNumbers } from '../support/slack/number-files.ts';
import { addPhonebook, loyal, managers } from '../support/slack/phonebook-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { runningClock } from '../support/time/test-clock.ts';

const arrivals = ({ provider }: Pick<TestWorkspace, 'provider'>, operation: string) =>
  provider.arrivals.filter((arrival) => arrival.operation === operation);

forOneAndThreeInstances(() => {
  describe('/contacts', () => {
    it('lists a phonebook, opens a contact, and sends them an SMS', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, provider } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts');
      const list = await ada.seesModal('Contacts', /\n18 total/);
      assert.match(wordsOf(list.view), /\+234 803 111 0100/);
      await ada.fills('Search contacts', '0803 111 0105');
      await ada.seesModal('Contacts', '1 found in 18 contacts');
      await ada.presses('Open');
      await ada.seesModal('Contact', '*Number* · +234 803 111 0105');
      await ada.presses('Send SMS');
      await ada.seesModal('New message', '+2348031110105');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Your order is on its way');
      await ada.submits();
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.deepEqual(provider.record.at(-1)?.to, ['2348031110105']);
    });

    it('adds a contact once, with the country code apart from the number', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts', 'add 0803 111 0999');
      await ada.seesModal('New contact', '0803 111 0999');
      await ada.fills('First name', 'Bola');
      await ada.fills('Email', 'bola@example.com');
      await Promise.all([ada.submits(), ada.submits()]);
      await ada.seesModal('Added', '+234803•••0999 in *Loyal customers*');
      const added = arrivals(testApp, 'phonebooks.addContact');
      assert.equal(added.length, 1);
      assert.partialDeepStrictEqual(added[0]?.body, {
        phone_number: '8031110999',
        country_code: '234',
        first_name: 'Bola',
        email_address: 'bola@example.com',
      });
      await ada.presses('Back to the list');
      await ada.seesModal('Contacts', '`+234 803 111 0999` · Bola');
    });

    it('uploads a cleaned file after a review', async (test) => {
      const { clock, pass } = runningClock();
      const testApp = await startTestApp(test, { clock });
      const { ada } = testApp;
      await addPhonebook(testApp, managers);
      await ada.types('/contacts');
      await ada.presses('Upload a file');
      await ada.seesModal('Contact upload');
      await ada.drops(
        'File',
        'shops.csv',
        '\uFEFFName;Mobile;Town\r\nAda;0805 222 0301;"Ibadan; Oyo"\r\nBen;0805\r\nCy;+2348052220302;Lagos\r\nAda again;2348052220301;\r\nDee;+447400123456;London\r\n',
      );
      await ada.submits();
      const review = wordsOf((await ada.seesModal('Upload review', 'Shop managers')).view);
      assert.match(review, /\*2 contacts\* from shops\.csv for/);
      assert.match(review, /\+234 805 222 0301` · Ada · Ibadan; Oyo/);
      assert.match(review, /column \*Mobile\*/);
      assert.match(review, /Other columns: Name, Town/);
      assert.match(review, /1 duplicate skipped/);
      assert.match(review, /\*2 rows skipped:\*\n• Line 3: “0805” is too short for a number in Nigeria/);
      assert.match(review, /Line 6: “\+447400123456” is a number of United Kingdom/);
      assert.equal(arrivals(testApp, 'phonebooks.upload').length, 0);

      await Promise.all([ada.submits(), ada.submits()]);
      await ada.seesModal('Uploaded', '2 contacts for *Shop managers*');
      const [upload, ...more] = arrivals(testApp, 'phonebooks.upload');
      assert.equal(more.length, 0);
      assert.equal(
        upload?.parts?.find(({ name }) => name === 'file')?.content.toString(),
        'phone number,Name,Town\r\n8052220301,Ada,"Ibadan; Oyo"\r\n8052220302,Cy,Lagos\r\n',
      );
      pass(2 * 60_000);
      await ada.presses('Back to the list');
      await ada.seesModal('Contacts', '5 total');
    });

    it('deletes a contact once, when the profile says how it is named', async (test) => {
      const env = profileEnv({ contactDeleteBy: 'query:contact_id' });
      const testApp = await joinTestApp(test, { env });
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts');
      await ada.fills('Search contacts', '1110117');
      await ada.seesModal('Contacts', '1 found in 18 contacts');
      await ada.presses('Open');
      await ada.seesModal('Contact', '+234 803 111 0117');
      await Promise.all([ada.presses('Delete'), ada.presses('Delete')]);
      await ada.seesModal('Deleted', '+234803•••0117 in *Loyal customers*');
      const deleted = arrivals(testApp, 'phonebooks.deleteContact');
      assert.equal(deleted.length, 1);
      assert.equal(deleted[0]?.query.contact_id, '64c07f1e9d2b5a8813e4f027');
      await ada.presses('Back to the list');
      await ada.seesModal('Contacts', '0 found in 17 contacts');
      await ada.fills('Search contacts', '');
      await ada.seesModal('Contacts', '17 total');
    });

    it('names the place to delete contacts, and no setting, unless the profile says how one is named', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts');
      await ada.presses('Open');
      const card = wordsOf(
        (await ada.seesModal('Contact', 'Delete contacts in the provider’s dashboard.')).view,
      );
      assert.doesNotMatch(card, /PROVIDER_|^Delete$/m);
    });

    it('opens a message to all contacts found on the page', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts', 'loyal');
      await ada.fills('Search contacts', '11101');
      await ada.seesModal('Contacts', '18 found in 18 contacts');
      await ada.fills('Search contacts', '111011');
      await ada.presses('Send SMS to 8 contacts');
      const form = await ada.seesModal('New message', '+2348031110110');
      assert.match(wordsOf(form.view), /\+2348031110117/);
      assert.doesNotMatch(wordsOf(form.view), /\+2348031110109/);
    });

    it('pages through a long phonebook, and names the phonebooks when none matches', async (test) => {
      const { clock, pass } = runningClock();
      const testApp = await startTestApp(test, { clock });
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts', 'upload');
      await ada.drops('File', 'many.csv', ['Phone', ...manyNumbers(120)].join('\n'));
      await ada.submits();
      await ada.seesModal('Upload review', '*120 contacts*');
      await ada.submits();
      await ada.seesModal('Uploaded');
      pass(2 * 60_000);
      await ada.presses('Back to the list');
      await ada.seesModal('Contacts', 'Page 1 of 3 · 138 total');
      await ada.presses('Next');
      await ada.seesModal('Contacts', 'Page 2 of 3');
      await ada.presses('Open');
      await ada.seesModal('Contact', '*Number*');
      await ada.presses('Back to the list');
      await ada.seesModal('Contacts', 'Page 2 of 3');
      await ada.presses('Send SMS to 50 contacts');
      await ada.seesModal('New message', '+2348051230040');
      await ada.closes();
      await ada.presses('Previous');
      await ada.seesModal('Contacts', 'Page 1 of 3');
      await ada.closes();
      await ada.types('/contacts', 'nobody');
      await ada.sees(/No phonebook named “nobody”[\s\S]*Loyal customers/);
    });

    it('searches every page of a phonebook, opens what it finds there, and goes back without asking again', async (test) => {
      const { clock, pass } = runningClock();
      const testApp = await startTestApp(test, { clock });
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts', 'upload');
      await ada.drops('File', 'many.csv', ['Phone', ...manyNumbers(120)].join('\n'));
      await ada.submits();
      await ada.seesModal('Upload review', '*120 contacts*');
      await ada.submits();
      await ada.seesModal('Uploaded');
      pass(2 * 60_000);
      await ada.presses('Back to the list');
      await ada.seesModal('Contacts', 'Page 1 of 3');
      const [, last = ''] = manyNumbers(120).slice(-2);
      await ada.fills('Search contacts', last);
      await ada.seesModal('Contacts', '1 found in 138 contacts');
      const asked = arrivals(testApp, 'phonebooks.contacts').length;
      // An instance keeps what it found: each other one reads the three pages, once.
      const most = asked + 1 + 3 * (testedInstances - 1);
      await ada.presses('Open');
      await ada.seesModal('Contact', '*Number* ·');
      await ada.presses('Back to the list');
      await ada.seesModal('Contacts', '1 found in 138 contacts');
      assert.ok(arrivals(testApp, 'phonebooks.contacts').length <= most, 'only the card asks');
      await ada.presses('Send SMS to 1 contact');
      await ada.seesModal('New message', last);
      assert.ok(arrivals(testApp, 'phonebooks.contacts').length <= most);
      await ada.closes();
      await ada.fills('Search contacts', 'nobody');
      await ada.seesModal('Contacts', /0 found in 138 contacts[\s\S]*No results\./);
    });

    it('marks contacts on the do-not-contact list, and says on the card who added them', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/sms', 'do-not-contact 0803 111 0105');
      await ada.presses('Add');
      await ada.seesModal('Do-not-contact list', 'added');
      await ada.closes();
      await ada.types('/contacts');
      const list = wordsOf((await ada.seesModal('Contacts', '18 total')).view);
      assert.match(list, /`\+234 803 111 0105` · :no_entry_sign: on the do-not-contact list/);
      assert.equal(list.match(/no_entry_sign/g)?.length, 1);
      await ada.fills('Search contacts', '1110105');
      await ada.seesModal('Contacts', /1 found in[\s\S]*:no_entry_sign: on the do-not-contact list/);
      await ada.presses('Open');
      await ada.seesModal('Contact', /On the do-not-contact list since .*, added by <@U0AGENT\w*>/);
    });

    it('opens at once while the provider is slow', async (test) => {
      const responses = heldResponses(test);
      const testApp = await startTestApp(test, { wait: responses.wait });
      const { ada, provider } = testApp;
      await addPhonebook(testApp);
      provider.orderFault({ operation: 'phonebooks.contacts', fault: { kind: 'slow_headers' } });
      await ada.types('/contacts');
      await ada.seesModal('Contacts', 'Loading contacts');
      await responses.arrived;
      responses.release();
      await ada.seesModal('Contacts', '18 total');
    });

    it('stores phonebooks under the names that admins give them, and removes them again', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, grace, connect, provider } = testApp;
      await connect();
      await ada.types('/contacts');
      await ada.sees('No phonebooks yet');

      await grace.types('/switchboard');
      await grace.presses('Change phonebooks');
      await grace.presses('Add a phonebook');
      await grace.fills('ID', 'no-such-phonebook');
      await grace.submits();
      assert.match(grace.errorBeside('ID') ?? '', /No phonebook with this ID/);
      await grace.fills('ID', managers.id);
      await grace.submits();
      await grace.seesModal('Phonebooks', '*Shop managers* added');
      await ada.types('/contacts');
      await ada.seesModal('Contacts', '3 total');

      provider.orderFault({
        operation: 'phonebooks.contacts',
        fault: { kind: 'bad_gateway' },
        times: Infinity,
      });
      await grace.presses('Add a phonebook');
      await grace.fills('ID', loyal.id);
      await grace.submits();
      assert.match(grace.errorBeside('ID') ?? '', /could not be checked/);
      await grace.closes();
      await grace.types('/contacts', 'phonebooks');
      await grace.presses('Remove');
      await grace.seesModal('Phonebooks', 'No phonebooks yet');
      await ada.closes();
      await ada.types('/contacts', 'phonebooks');
      await ada.sees('Only admins');
    });

    it('shows each fault of a contact beside its field', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts', 'add 0803');
      await ada.fills('Email', 'bola');
      await ada.submits();
      assert.match(ada.errorBeside('Phone number') ?? '', /“0803” is too short for a number in Nigeria/);
      assert.match(ada.errorBeside('Email') ?? '', /not an email address/);
      await ada.fills('Country', 'United Kingdom (+44)');
      await ada.fills('Phone number', '07400 123456');
      await ada.fills('Email', '');
      await ada.submits();
      await ada.seesModal('Added', '+44740•••3456');
      assert.partialDeepStrictEqual(arrivals(testApp, 'phonebooks.addContact')[0]?.body, {
        phone_number: '7400123456',
        country_code: '44',
      });
    });

    it('reports a change as unconfirmed when the provider fails, and does not repeat it', async (test) => {
      const testApp = await startTestApp(test);
      const { ada, provider } = testApp;
      await addPhonebook(testApp);
      provider.orderFault({ operation: 'phonebooks.addContact', fault: { kind: 'bad_gateway' } });
      await ada.types('/contacts', 'add 08031110999');
      await ada.seesModal('New contact');
      await ada.submits();
      await ada.seesModal('Unconfirmed', 'may or may not have been added');
      assert.equal(arrivals(testApp, 'phonebooks.addContact').length, 1);
      provider.orderFault({ operation: 'phonebooks.upload', fault: { kind: 'bad_gateway' } });
      await ada.closes();
      await ada.types('/contacts', 'upload');
      await ada.drops('File', 'one.csv', 'Phone\n08052220301');
      await ada.submits();
      await ada.seesModal('Upload review', '1 contact');
      await ada.submits();
      await ada.seesModal('Unconfirmed', '1 contact for *Loyal customers*');
      assert.equal(arrivals(testApp, 'phonebooks.upload').length, 1);
      await provider.goDown();
      await ada.presses('Back to the list');
      await ada.seesModal('Contacts', /no connection|reach/i);
    });

    it('sends the rejected rows as a file, once, when they are too many to show', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts', 'upload');
      const rows = Array.from({ length: 60 }, (_, index) => `Nobody ${index},0803`);
      await ada.drops('File', 'bad.csv', ['Name,Phone', 'Ada,08052220301', ...rows].join('\n'));
      await Promise.all([ada.submits(), ada.submits()]);
      const review = wordsOf((await ada.seesModal('Upload review', '60 rows skipped')).view);
      assert.match(review, /and 10 more, in \*skipped-rows\.csv\*/);
      await ada.sees('Skipped rows of *bad.csv*');
      await testApp.app().settled();
      const files = ada.messages().flatMap(({ files: shared = [] }) => shared);
      assert.deepEqual(
        files.map(({ name }) => name),
        ['skipped-rows.csv'],
      );
    });

    it('shows the review even when Slack refuses the file of rejected rows, and says so', async (test) => {
      const testApp = await joinTestApp(test);
      const { ada, slack } = testApp;
      await addPhonebook(testApp);
      await ada.types('/contacts', 'upload');
      const rows = Array.from({ length: 60 }, (_, index) => `Nobody ${index},0803`);
      await ada.drops('File', 'bad.csv', ['Name,Phone', 'Ada,08052220301', ...rows].join('\n'));
      slack.fault('files.getUploadURLExternal', { error: 'restricted_action' });
      await ada.submits();
      const review = await ada.seesModal('Upload review', 'Slack didn’t accept the file');
      assert.match(wordsOf(review.view), /and 10 more\. Slack didn’t accept the file with all of them\./);
      await ada.submits();
      await ada.seesModal('Uploaded', '1 contact');
    });
  });

  describe('an unusable file of contacts is refused beside its field', () => {
    for (const [what, content, words] of [
      ['a spreadsheet', 'PK\u0003\u0004…', /Save it as CSV/],
      ['a file without numbers', 'Name,Town\nAda,Lagos', /No column of phone numbers/],
      ['numbers of another country alone', 'Phone\n+447400123456', /No row of this file has a valid number/],
      ['a quotation mark left open', 'Phone\n08031234567\n"0805', /from line 3 on/],
      ['more than 2 MB', 'x'.repeat(2_000_001), /too large/],
    ] as const) {
      it(what, async (test) => {
        const testApp = await joinTestApp(test);
        const { ada } = testApp;
        await addPhonebook(testApp);
        await ada.types('/contacts', 'upload');
        await ada.drops('File', 'list.csv', content);
        await ada.submits();
        assert.match(ada.errorBeside('File') ?? '', words);
        assert.equal(arrivals(testApp, 'phonebooks.upload').length, 0);
      });
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { addPhonebook, loyal, managers } from '../support/slack/phonebook-steps.ts';
import { review } from '../support/slack/sms-steps.ts';

const text = 'Your order is on its way';

/** Adds contacts at the provider, by their names and national numbers. */
async function addContacts(
  { app, teamId }: Pick<TestWorkspace, 'app' | 'teamId'>,
  contacts: readonly (readonly [firstName: string, lastName: string, number: string])[],
  phonebookId = loyal.id,
): Promise<void> {
  const account = await app().services.workspaces.account(teamId);
  for (const [firstName, lastName, phoneNumber] of contacts) {
    const details = { phoneNumber, countryCode: '234', firstName, lastName };
    await account?.phonebooks.addContact({ phonebookId, ...details });
  }
}

describe('recipients by name', () => {
  it('are found in the phonebooks beside typed numbers, and the review says who is who', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider } = testApp;
    await addPhonebook(testApp);
    await testApp.app().services.phonebooks.name(testApp.teamId, managers);
    await addContacts(testApp, [
      ['Ada', 'Obi', '8051234501'],
      ['Bola', 'Ade', '8051234502'],
    ]);
    await review(ada, { to: 'ada obi, 0805 123 4503\nADE', text });
    await ada.seesModal(
      'Message review',
      /3 recipients[\s\S]*\*To\* \+234 805 123 4501, \+234 805 123 4503, \+234 805 123 4502[\s\S]*ada obi: \+234 805 123 4501 · ADE: \+234 805 123 4502/,
    );
    const asked = provider.arrivals.filter(({ operation }) => operation === 'phonebooks.contacts').length;
    await ada.presses('Edit');
    await ada.seesModal('New message', '+234 805 123 4501');
    await ada.fills('To', 'Bola');
    await ada.submits();
    await ada.seesModal('Message review', 'Bola: +234 805 123 4502');
    assert.equal(
      provider.arrivals.filter(({ operation }) => operation === 'phonebooks.contacts').length,
      asked,
      'the contacts are kept for a minute',
    );
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.deepEqual(
      provider.record.map(({ to }) => to),
      [['2348051234502']],
    );
  });

  it('are a fault where nobody or several are called so: nobody is guessed', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada } = testApp;
    await addPhonebook(testApp);
    await addContacts(testApp, [
      ['Ada', 'Obi', '8051234501'],
      ['Ada', 'Bello', '8051234502'],
    ]);
    await review(ada, { to: 'Ada, 0805 123 4503\nNgozi', text });
    assert.equal(
      ada.errorBeside('To'),
      '“Ada” is the name of several contacts: Ada Obi (+234805•••4501), Ada Bello (+234805•••4502). Write the whole name or the number. “Ngozi” is neither a number nor the name of a contact.',
    );
    await ada.fills('To', 'Ada Bello, 0805 123 4503');
    await ada.submits();
    await ada.seesModal('Message review', '2 recipients');
  });

  it('are looked up while the person waits, however long the provider takes', async (test) => {
    const responses = heldResponses(test);
    const testApp = await startTestApp(test, { wait: responses.wait });
    const { ada, provider } = testApp;
    await addPhonebook(testApp);
    await addContacts(testApp, [['Ada', 'Obi', '8051234501']]);
    provider.orderFault({ operation: 'phonebooks.contacts', fault: { kind: 'slow_headers' } });
    const reviewing = review(ada, { to: 'Ada', text, route: 'Promotional (generic)' });
    await responses.arrived;
    await ada.seesModal('New message', 'Looking the names up…');
    responses.release();
    await reviewing;
    await ada.seesModal('Message review', 'Ada: +234 805 123 4501');
  });

  it('are not looked up where the provider doesn’t list the contacts, or a phonebook is too large', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider } = testApp;
    await addPhonebook(testApp);
    await addContacts(testApp, [['Ada', 'Obi', '8051234501']]);
    const failing = provider.orderFault({
      operation: 'phonebooks.contacts',
      times: 9,
      fault: { kind: 'status', status: 403, message: 'Not allowed' },
    });
    await review(ada, { to: 'Ada', text });
    assert.match(ada.errorBeside('To') ?? '', /“Ada” is neither[\s\S]*Loyal customers was not searched/);
    failing.cancel();
    provider.orderFault({
      operation: 'phonebooks.contacts',
      fault: {
        kind: 'reshape',
        body: (answer) => JSON.parse(JSON.stringify(answer).replace(/(?<="totalElements":)\d+/, '1001')),
      },
    });
    await ada.submits();
    assert.match(
      ada.errorBeside('To') ?? '',
      /“Ada” is neither[\s\S]*Loyal customers was not searched: it has more than 1,000 contacts/,
    );
    await testApp.app().services.phonebooks.name(testApp.teamId, managers);
    await addContacts(testApp, [['Bola', 'Ade', '8051234502']], managers.id);
    await ada.fills('To', 'Bola');
    await ada.submits();
    await ada.seesModal('Message review', /Bola: \+234 805 123 4502[\s\S]*Loyal customers was not searched/);
  });

  it('are left out, as all that is no number, in a workspace without a phonebook', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await review(ada, { to: 'Ada, 0805 123 4503', text });
    await ada.seesModal('Message review', 'Skipped:* “Ada” is not a number');
  });
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

const phonebookId = 'pb1';

async function meets(t: TestContext, body: string | object) {
  const server = await serve(t, answer(200, body));
  return { server, phonebooks: testClient(t, server.url).account.phonebooks };
}

test('requests contacts by phonebook and page', async (t) => {
  const { server, phonebooks } = await meets(t, { data: { content: [] } });
  await phonebooks.contacts({ phonebookId: 'a:1-b', page: 2, size: 50 });
  const [request] = server.requests;
  assert.equal(request?.method, 'GET');
  assert.equal(request.path, `/api/phonebooks/a%3A1-b/contacts?page=2&size=50&api_key=${testKey}`);
});

test('reads every field of contacts and their phonebook', async (t) => {
  const contact = {
    id: 'c1',
    pid: 'pb1',
    phone_number: '2348030000001',
    contact_list_key_value: [
      { key: 'phone number', value: '8030000001' },
      { key: 'city', value: '' },
    ],
    email_address: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Bello',
    company: 'Blue Bakery',
    created_at: '2026-01-31 23:30:00',
    updated_at: '2026-02-01T00:30:00+02:00',
    colour: 'blue',
  };
  const phonebook = {
    id: 'pb1',
    applicationId: 33217,
    description: 'Who ordered once',
    createdAt: '2025-05-12 12:36:06',
    phonebook_name: 'Customers',
    total_contact: 2,
    total_campaign: 9,
  };
  const body = {
    headers: ['phone number', 'city'],
    phonebook,
    data: { content: [contact, { id: 'c2' }], totalElements: 2, totalPages: 1, size: 15, number: 0 },
  };
  const { phonebooks } = await meets(t, body);
  assert.deepEqual(await phonebooks.contacts({ phonebookId }), {
    kind: 'accepted',
    value: {
      headers: ['phone number', 'city'],
      phonebook: {
        id: 'pb1',
        applicationId: '33217',
        name: 'Customers',
        description: 'Who ordered once',
        createdAt: new Date('2025-05-12T11:36:06Z'),
        totalContacts: 2,
        totalCampaigns: 9,
        raw: phonebook,
      },
      records: [
        {
          id: 'c1',
          phonebookId: 'pb1',
          phoneNumber: '2348030000001',
          columns: [
            { key: 'phone number', value: '8030000001' },
            { key: 'city', value: '' },
          ],
          emailAddress: 'ada@example.com',
          firstName: 'Ada',
          lastName: 'Bello',
          company: 'Blue Bakery',
          createdAt: new Date('2026-01-31T22:30:00Z'),
          updatedAt: new Date('2026-01-31T22:30:00Z'),
          raw: contact,
        },
        { id: 'c2', columns: [], raw: { id: 'c2' } },
      ],
      number: 0,
      size: 15,
      numberOfElements: 2,
      totalElements: 2,
      totalPages: 1,
      first: true,
      last: true,
      empty: false,
      raw: body,
    },
  });
});

test('requires only the contacts and their ids', async (t) => {
  const bare = await meets(t, { data: { content: [{ id: 7 }] }, phonebook: 'pb1', headers: null });
  const outcome = await bare.phonebooks.contacts({ phonebookId });
  assert.ok(outcome.kind === 'accepted');
  assert.deepEqual(outcome.value.records, [{ id: '7', columns: [], raw: { id: 7 } }]);
  assert.deepEqual(outcome.value.headers, []);
  assert.equal('phonebook' in outcome.value, false);
  const nameless = await meets(t, { data: { content: [{ id: 'c1' }, { id: '' }] } });
  const error = await ends(nameless.phonebooks.contacts({ phonebookId }), {
    kind: 'unconfirmed',
    reason: 'unreadable_answer',
    status: 200,
  });
  assert.match(error.message, /: data\.content\[1\]\.id\./);
});

test('iterates over all contacts', async (t) => {
  const { phonebooks } = await meets(t, { data: { content: [{ id: 'c1' }, { id: 'c2' }], last: false } });
  const ids = await Array.fromAsync(phonebooks.allContacts({ phonebookId }), ({ id }) => id);
  assert.deepEqual(ids, ['c1', 'c2']);
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer, type Behaviour } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

const dialect = { chatChannel: 'chatapp', phonebooksPath: '/api/phonebooks' };
const staff = { id: 'a1', name: 'Staff', total_number_of_contacts: 3, date_created: '2025-06-26 18:38:44' };

async function client(t: TestContext, behaviour: Behaviour) {
  const server = await serve(t, behaviour);
  return { server, account: testClient(t, server.url, { dialect }).account };
}

test('lists phonebooks at the path that the dialect names, by either name of a field', async (t) => {
  const documented = { id: 'b2', phonebook_name: 'Loyal', total_contact: '12', createdAt: null };
  const { server, account } = await client(t, answer(200, { content: [staff, documented, { id: 'c3' }] }));
  const outcome = await account.phonebooks.list({ page: 0, size: 100 });
  assert.ok(outcome.kind === 'accepted');
  assert.deepEqual(
    outcome.value.records.map(({ raw: _, ...phonebook }) => phonebook),
    [
      { id: 'a1', name: 'Staff', totalContacts: 3, createdAt: new Date('2025-06-26T17:38:44Z') },
      { id: 'b2', name: 'Loyal', totalContacts: 12 },
      { id: 'c3' },
    ],
  );
  assert.equal(server.requests[0]?.path, `/api/phonebooks?page=0&size=100&api_key=${testKey}`);
});

test('is off without a path, and asks nothing', async (t) => {
  const server = await serve(t, answer(200, { content: [] }));
  const call = testClient(t, server.url).account.phonebooks.list();
  await ends(call, { kind: 'not_sent', reason: 'not_configured' });
  assert.equal(server.requests.length, 0);
});

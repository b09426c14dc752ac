import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer } from '../../support/http/raw-server.ts';
import { serve, testClient, testKey } from '../../support/provider/provider-client.ts';

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

test('reads the names of the columns', async (t) => {
  const { phonebooks } = await meets(t, { headers: ['phone number', 'city'], data: { content: [] } });
  const outcome = await phonebooks.contacts({ phonebookId });
  assert.ok(outcome.kind === 'accepted');
  assert.deepEqual(outcome.value.headers, ['phone number', 'city']);
});

test('requires only the contacts and their ids', async (t) => {
  const bare = await meets(t, { data: { content: [{ id: 7 }] }, phonebook: 'pb1', headers: null });
  const outcome = await bare.phonebooks.contacts({ phonebookId });
  assert.ok(outcome.kind === 'accepted');
  assert.deepEqual(outcome.value.records, [{ id: '7', columns: [], raw: { id: 7 } }]);
  assert.deepEqual(outcome.value.headers, []);
  assert.equal('phonebook' in outcome.value, false);
});

test('iterates over all contacts', async (t) => {
  const { phonebooks } = await meets(t, { data: { content: [{ id: 'c1' }, { id: 'c2' }], last: false } });
  const pages = await Array.fromAsync(phonebooks.allContacts({ phonebookId }));
  assert.deepEqual(
    pages.map(({ records }) => records.map(({ id }) => id)),
    [['c1', 'c2']],
  );
});

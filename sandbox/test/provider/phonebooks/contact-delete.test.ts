import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { ProviderSandbox } from '../../../provider/server.ts';
import { noon, provide } from '../client.ts';

const id = '64c07f1e9d2b5a8813e4f0a2';
const path = `/api/phonebooks/${id}/contacts`;

interface Way {
  suffix?: string;
  query?: Record<string, string>;
  body?: unknown;
}

function remove(provider: ProviderSandbox, { suffix = '', query = {}, body }: Way) {
  return fetch(`${provider.url}${path}${suffix}?${new URLSearchParams(query)}`, {
    method: 'DELETE',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
}

const contactsOf = (provider: ProviderSandbox) =>
  provider.account.phonebooks.find((phonebook) => phonebook.id === id)?.contacts ?? [];

const ways: [string, (contact_id: string, api_key: string) => Way][] = [
  ['the path', (contact, api_key) => ({ suffix: `/${contact}`, query: { api_key } })],
  [
    'the path, with the key in the body',
    (contact, api_key) => ({ suffix: `/${contact}`, body: { api_key } }),
  ],
  ['the query', (contact_id, api_key) => ({ query: { api_key, contact_id } })],
  ['the body', (contact_id, api_key) => ({ body: { api_key, contact_id } })],
  [
    'the body, with the key in the query',
    (contact_id, api_key) => ({ query: { api_key }, body: { contact_id } }),
  ],
];

for (const [where, way] of ways) {
  test(`a contact is deleted by its id in ${where}`, async (t) => {
    const provider = await provide(t);
    const [first, second, third] = contactsOf(provider);
    const response = await remove(provider, way(second?.id ?? '', provider.account.key));
    const message = 'Contact deleted successfully';
    assert.deepEqual(await response.json(), { code: 200, data: { message }, message, status: 'success' });
    assert.equal(response.status, 200);
    assert.deepEqual(contactsOf(provider), [first, third]);
    assert.equal(provider.arrivals[0]?.operation, 'phonebooks.deleteContact');
    assert.deepEqual(provider.emptiedPhonebooks, []);
  });
}

test("empties the phonebook on a delete without a contact's id, with a warning", async (t) => {
  const provider = await provide(t);
  const warned = once(process, 'warning');
  const response = await remove(provider, { query: { api_key: provider.account.key } });
  assert.equal(response.status, 200);
  assert.equal((await response.json()).message, 'All 3 contacts deleted successfully');
  assert.deepEqual(contactsOf(provider), []);
  assert.deepEqual(provider.emptiedPhonebooks, [
    { at: noon.toISOString(), account: provider.account.key, id, contacts: 3 },
  ]);
  const [warning] = await warned;
  assert.match(warning.message, /emptied .*"Shop managers"/);
  assert.equal(provider.account.phonebooks[0]?.contacts.length, 18);
});

test('deletes nothing on a wrong request', async (t) => {
  const provider = await provide(t);
  const api_key = provider.account.key;
  const contact_id = contactsOf(provider)[0]?.id ?? '';
  const attempts: [Way, number][] = [
    [{ query: { contact_id } }, 401],
    [{ query: { api_key, contact_id: 'nobody' } }, 404],
    [{ query: { api_key, contact_id: '' } }, 400],
    [{ query: { api_key, id: contact_id } }, 400],
    [{ body: { api_key, contact_id: [contact_id] } }, 400],
    [{ query: { contact_id }, body: { api_key, contact_id } }, 400],
    [{ suffix: `/${contact_id}`, query: { api_key, contact_id } }, 400],
    [{ query: { api_key }, body: [contact_id] }, 400],
    [{ suffix: '/', query: { api_key } }, 404],
    [{ query: { api_key: provider.otherAccount.key, contact_id } }, 404],
  ];
  for (const [way, status] of attempts) {
    assert.equal((await remove(provider, way)).status, status, JSON.stringify(way));
  }
  assert.equal(contactsOf(provider).length, 3);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderSandbox } from '../../../provider/server.ts';
import { get, post, provide } from '../client.ts';

const customers = '64c07f1e9d2b5a8813e4f0a1';
const managers = '64c07f1e9d2b5a8813e4f0a2';
const pathOf = (id: string) => `/api/phonebooks/${id}/contacts`;

function add(provider: ProviderSandbox, changes: Record<string, unknown> = {}) {
  const body = { api_key: provider.account.key, phone_number: '2348031234567', ...changes };
  return post(provider, pathOf(managers), body);
}

async function contactsOf(provider: ProviderSandbox, id: string) {
  const { data } = await (await get(provider, pathOf(id))).json();
  return data.content;
}

test('lists the contacts of a phonebook in pages, with the phonebook and its headers', async (t) => {
  const provider = await provide(t);
  const response = await get(provider, pathOf(customers));
  const { headers, phonebook, data } = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual(headers, ['phone number']);
  assert.deepEqual(phonebook, {
    id: customers,
    applicationId: '41207',
    description: '',
    createdAt: '2026-03-02 12:00:00',
    phonebook_name: 'Loyal customers',
    total_contact: 18,
    total_campaign: 0,
  });
  assert.deepEqual([data.totalElements, data.totalPages, data.size, data.last], [18, 2, 15, false]);
  assert.deepEqual(data.content[0], {
    id: '64c07f1e9d2b5a8813e4f010',
    pid: customers,
    phone_number: '2348031110100',
    contact_list_key_value: [{ key: 'phone number', value: '8031110100' }],
    created_at: '2026-03-02 12:00:00',
    updated_at: '2026-03-02 12:00:00',
  });
  const rest = await (await get(provider, pathOf(customers), { page: '1' })).json();
  assert.deepEqual([rest.data.content.length, rest.data.last], [3, true]);
  assert.equal(provider.arrivals[0]?.operation, 'phonebooks.contacts');
});

test('answers 404 for an unknown phonebook or one of another account', async (t) => {
  const provider = await provide(t);
  const foreign = provider.fullAccount.phonebooks[0]?.id ?? '';
  for (const id of ['nowhere', foreign, '%zz']) {
    const response = await get(provider, pathOf(id));
    assert.equal(response.status, 404);
    assert.match((await response.json()).message, /^Phonebook not found: /);
  }
});

test('adds a contact with all its fields', async (t) => {
  const provider = await provide(t);
  const details = {
    email_address: 'ada@mail.example',
    first_name: 'Ada',
    last_name: 'Obi',
    company: 'Palm Market Ltd',
  };
  const response = await add(provider, details);
  const body = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual(Object.keys(body), ['Contact added successfully']);
  const contact = body['Contact added successfully'];
  assert.match(contact.id, /^[0-9a-f]{24}$/);
  assert.deepEqual(contact, {
    id: contact.id,
    phone_number: '2348031234567',
    created_at: '2026-03-02 12:00:00',
    updated_at: '2026-03-02 12:00:00',
    ...details,
  });
  assert.deepEqual((await contactsOf(provider, managers)).at(-1), {
    ...contact,
    pid: managers,
    contact_list_key_value: [{ key: 'phone number', value: '2348031234567' }],
  });
  assert.equal(provider.arrivals[0]?.operation, 'phonebooks.addContact');
});

test('adds the country code to a national number', async (t) => {
  const provider = await provide(t);
  for (const [phone_number, country_code, expected] of [
    ['8031234567', '234', '2348031234567'],
    ['08031234567', '234', '2348031234567'],
    ['2348031234567', '234', '2348031234567'],
    ['7700900001', '44', '447700900001'],
  ]) {
    const body = await (await add(provider, { phone_number, country_code })).json();
    assert.equal(body['Contact added successfully'].phone_number, expected);
  }
});

const wrong: [Record<string, unknown>, RegExp][] = [
  [{ phone_number: '+2348031234567' }, /^phone_number: must be a phone number/],
  [{ phone_number: '08031234567' }, /^phone_number: must have its country/],
  [{ phone_number: '80312345678901', country_code: '234' }, /^phone_number: must have its country/],
  [{ country_code: 'NG' }, /^country_code: must be a country code/],
  [{ email_address: 'ada' }, /^email_address: must be an e-mail address$/],
];

for (const [changes, expected] of wrong) {
  test(`a contact with ${JSON.stringify(changes)} is refused`, async (t) => {
    const provider = await provide(t);
    const response = await add(provider, changes);
    assert.equal(response.status, 400);
    assert.match((await response.json()).message, expected);
    assert.equal((await contactsOf(provider, managers)).length, 3);
  });
}

test('triggers the fault of a magic number when it is added', async (t) => {
  const provider = await provide(t);
  assert.equal((await add(provider, { phone_number: '2348030009500' })).status, 500);
  await assert.rejects(add(provider, { phone_number: '2348030009003' }));
  assert.equal((await contactsOf(provider, managers)).length, 4);
});

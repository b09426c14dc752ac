import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import type { ProviderSandbox } from '../../../provider/server.ts';
import { provide, provideWithClock } from '../client.ts';

const pid = '64c07f1e9d2b5a8813e4f0a2';
const path = '/api/phonebooks/contacts/upload';
const minute = 60_000;

const csv = (text: string) => new File([text], 'contacts.csv', { type: 'text/csv' });
const json = (value: unknown) => new Blob([JSON.stringify(value)], { type: 'application/json' });

type Parts = Record<string, Blob | string | undefined>;

/** Uploads a form of the platform, which sets its own header. */
function upload(provider: ProviderSandbox, changes: Parts = {}, query = '') {
  const form = new FormData();
  const parts: Parts = {
    file: csv('2348031234567\n'),
    contact: json({ api_key: provider.account.key, country_code: '234', pid }),
    ...changes,
  };
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined) {
      form.append(name, value);
    }
  }
  return fetch(`${provider.url}${path}${query}`, { method: 'POST', body: form });
}

function contact(provider: ProviderSandbox, changes: Record<string, unknown>) {
  return json({ api_key: provider.account.key, country_code: '234', pid, ...changes });
}

const phonebookOf = (provider: ProviderSandbox) =>
  provider.account.phonebooks.find((phonebook) => phonebook.id === pid);

const numbersOf = (provider: ProviderSandbox) =>
  phonebookOf(provider)
    ?.contacts.slice(3)
    .map(({ phone_number }) => phone_number);

test('adds the contacts of an uploaded file a minute later', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const file = csv(
    '\uFEFF"Name";Mobile\r\n"Obi; Ada";08031234567\r\n"Bello ""Bee""";+234 805-123-4567\r\nnobody;8.03E+09\r\n',
  );
  const response = await upload(provider, { file });
  assert.equal(response.status, 200);
  const answer = await response.json();
  assert.deepEqual(answer, { message: answer.message });
  assert.match(answer.message, /in the background.*couple of minutes/);
  assert.equal(provider.arrivals[0]?.operation, 'phonebooks.upload');
  pass(minute - 1);
  assert.deepEqual(numbersOf(provider), []);
  pass(1);
  assert.deepEqual(numbersOf(provider), ['2348031234567', '2348051234567']);
  const phonebook = phonebookOf(provider);
  assert.deepEqual(phonebook?.headers, ['phone number', 'Name', 'Mobile']);
  assert.deepEqual(phonebook?.contacts[4]?.contact_list_key_value, [
    { key: 'Name', value: 'Bello "Bee"' },
    { key: 'Mobile', value: '+234 805-123-4567' },
  ]);
});

test('accepts a file of numbers only, and tabs or commas', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  await upload(provider, { file: csv('8031234567\n8031234568') });
  pass(minute);
  await upload(provider, { file: csv('phone\tcity\n8031234569\tLagos\n') });
  await upload(provider, { file: csv('8031234570,Lagos\n') });
  pass(minute);
  assert.deepEqual(
    numbersOf(provider),
    ['67', '68', '69', '70'].map((end) => `23480312345${end}`),
  );
});

test('refuses a wrong upload', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const attempts: [Parts, number, RegExp][] = [
    [{ file: undefined }, 400, /^The parts must be file and contact, not contact$/],
    [{ contact: undefined }, 400, /^The parts must be file and contact, not file$/],
    [{ pid }, 400, /not contact,file,pid$/],
    [{ file: 'just text' }, 400, /^file: is not a file$/],
    [{ file: csv('') }, 400, /^file: must not be empty$/],
    [{ contact: JSON.stringify({ pid }) }, 415, /^contact: must be of application\/json$/],
    [{ contact: new Blob(['{'], { type: 'application/json' }) }, 400, /^contact: is not a JSON object$/],
    [{ contact: json([]) }, 400, /^contact: is not a JSON object$/],
    [{ contact: contact(provider, { api_key: 'x' }) }, 401, /key/],
    [{ contact: contact(provider, { pid: 'nowhere' }) }, 404, /^Phonebook not found: nowhere$/],
  ];
  for (const [changes, status, expected] of attempts) {
    const response = await upload(provider, changes);
    assert.match((await response.json()).message, expected);
    assert.equal(response.status, status);
  }
  const key = `?api_key=${provider.account.key}`;
  assert.equal((await upload(provider, {}, key)).status, 400);
  pass(minute);
  assert.deepEqual(numbersOf(provider), []);
});

test('accepts a JSON part without a filename', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const fields = JSON.stringify({ api_key: provider.account.key, country_code: '234', pid });
  const body = [
    '--limit',
    'Content-Disposition: form-data; name="contact"',
    'Content-Type: application/json; charset=utf-8',
    '',
    fields,
    '--limit',
    'Content-Disposition: form-data; name="file"; filename="contacts.csv"',
    '',
    '08031234567',
    '--limit--',
    '',
  ].join('\r\n');
  const headers = { 'content-type': 'multipart/form-data; boundary="limit"' };
  const response = await fetch(`${provider.url}${path}`, { method: 'POST', headers, body });
  assert.equal(response.status, 200);
  pass(minute);
  assert.deepEqual(numbersOf(provider), ['2348031234567']);
});

test('refuses a body that is not a complete form', async (t) => {
  const provider = await provide(t);
  const form = 'multipart/form-data; boundary=limit';
  const part = '--limit\r\nContent-Disposition: form-data; name="contact"\r\n\r\n{}';
  for (const [type, body, status] of [
    ['application/json', '{}', 415],
    ['multipart/form-data', part, 400],
    [form, '', 400],
    [form, 'before--limit--', 400],
    [form, part, 400],
    [form, `${part}\r\n--limit`, 400],
    [form, '--limit\r\nContent-Disposition: form-data\r\n\r\n{}\r\n--limit--', 400],
    [form, '--limit\r\nno blank line\r\n--limit--', 400],
    [form, '--limit--\r\n', 400],
  ] as const) {
    const headers = { 'content-type': type };
    const response = await fetch(`${provider.url}${path}`, { method: 'POST', headers, body });
    assert.equal(response.status, status, `${type} ${body}`);
  }
});

test('logs a form without the key', async (t) => {
  const exchange = Promise.withResolvers<LoggedRequest>();
  const provider = await provide(t, { onExchange: exchange.resolve });
  await upload(provider);
  assert.deepEqual((await exchange.promise).request, {
    file: 'contacts.csv, 14 bytes',
    contact: { api_key: `•••${provider.account.key.slice(-4)}`, country_code: '234', pid },
  });
});

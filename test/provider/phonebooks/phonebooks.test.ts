import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { Secret } from '../../../src/lib/secret.ts';
import type { ProviderAccount } from '../../../src/provider/client.ts';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, testClient } from '../../support/provider/provider-client.ts';

const phonebookId = 'pb1';
const ada = { phonebookId, phoneNumber: '2348030000001' };

const by = (contactDeleteBy?: string) => ({
  dialect: { chatChannel: 'chatapp', ...(contactDeleteBy !== undefined && { contactDeleteBy }) },
});

async function meets(t: TestContext, body: string | object, contactDeleteBy?: string) {
  const server = await serve(t, answer(200, body));
  return { server, phonebooks: testClient(t, server.url, by(contactDeleteBy)).account.phonebooks };
}

test('accepts an added contact only under its key of success', async (t) => {
  const raw = { 'Contact added successfully': { id: 'c1', phone_number: '2348030000001', company: null } };
  const { phonebooks } = await meets(t, raw);
  assert.deepEqual(await phonebooks.addContact(ada), {
    kind: 'accepted',
    value: { id: 'c1', phoneNumber: '2348030000001', columns: [], raw },
  });
  for (const [body, missing] of [
    [{ 'Contact exists': { id: 'c1' } }, 'Contact added successfully'],
    [{ 'Contact added successfully': {} }, 'Contact added successfully.id'],
    [{ 'Contact added successfully': true }, 'Contact added successfully'],
  ] as const) {
    const error = await ends((await meets(t, body)).phonebooks.addContact(ada), {
      kind: 'unconfirmed',
      reason: 'unreadable_answer',
      status: 200,
    });
    assert.ok(error.message.includes(`missing or wrong in it: ${missing}.`), error.message);
    assert.equal(error.sent, 'maybe');
  }
});

test('refuses invalid input and names every fault', async (t) => {
  const { server, phonebooks } = await meets(t, {}, 'path');
  const file = { phonebookId, file: 'phone\n', countryCode: '234' };
  const cases: readonly (readonly [keyof typeof phonebooks, object, readonly string[]])[] = [
    ['contacts', { phonebookId: '' }, ['phonebookId']],
    ['contacts', { phonebookId: '../sender-id' }, ['phonebookId']],
    ['contacts', { phonebookId, page: -1, size: 1001 }, ['page', 'size']],
    ['addContact', { ...ada, phoneNumber: '80300' }, ['phoneNumber']],
    ['addContact', { ...ada, phoneNumber: '08030000001', countryCode: '234' }, ['phoneNumber']],
    ['addContact', { ...ada, phoneNumber: 2348030000001 }, ['phoneNumber']],
    [
      'addContact',
      { ...ada, emailAddress: 'ada', firstName: '', lastName: ' ', company: 1 },
      ['emailAddress', 'firstName', 'lastName', 'company'],
    ],
    ['upload', { ...file, file: '' }, ['file']],
    ['upload', { ...file, file: new Uint8Array() }, ['file']],
    ['upload', { ...file, file: { path: '/etc/passwd' } }, ['file']],
    ['upload', { ...file, fileName: '' }, ['fileName']],
  ];
  for (const [name, input, fields] of cases) {
    const outcome = await Reflect.apply(phonebooks[name], undefined, [input]);
    const error = await ends(Promise.resolve(outcome), { kind: 'not_sent', reason: 'input' });
    assert.deepEqual(
      error.faults?.map(({ field }) => field),
      fields,
    );
  }
  assert.equal(server.connections(), 0);
});

test('never adds, uploads or deletes twice', async (t) => {
  const server = await serve(t, answer(503, ''));
  const { phonebooks } = testClient(t, server.url, by('path')).account;
  const calls = [
    () => phonebooks.addContact(ada),
    () => phonebooks.upload({ phonebookId, file: 'x', countryCode: '234' }),
    () => phonebooks.deleteContact({ phonebookId, contactId: 'c1' }),
  ];
  for (const [index, call] of calls.entries()) {
    const error = await ends(call(), { kind: 'unconfirmed', reason: 'server_error', status: 503 });
    assert.match(error.message, /may or may not have taken effect/);
    assert.equal(error.retryable, false);
    assert.equal(server.requests.length, index + 1);
  }
});

test('works against the sandbox’s phonebooks', async (t) => {
  let now = new Date('2026-03-02T11:00:00Z');
  const provider = await startProvider({ clock: () => now });
  t.after(() => provider.stop());
  const {
    key,
    phonebooks: [phonebook],
  } = provider.account;
  assert.ok(phonebook);
  const { id: phonebookId } = phonebook;
  const withNaming = (naming: string): ProviderAccount =>
    testClient(t, new URL(provider.url), by(naming)).provider.account(new Secret(key));
  const { phonebooks } = withNaming('path');
  const numbers = () =>
    Array.fromAsync(phonebooks.allContacts({ phonebookId, size: 2 }), ({ phoneNumber }) => phoneNumber);

  const before = await numbers();
  const outcome = await phonebooks.addContact({ ...ada, phonebookId, firstName: 'Ada' });
  assert.ok(outcome.kind === 'accepted');
  assert.equal(outcome.value.firstName, 'Ada');
  const file = 'phone number\n08030000002\n08030000003\n';
  assert.equal((await phonebooks.upload({ phonebookId, file, countryCode: '234' })).kind, 'accepted');
  assert.deepEqual(await numbers(), [...before, '2348030000001']);
  now = new Date(now.getTime() + 3_600_000);
  assert.deepEqual(await numbers(), [...before, '2348030000001', '2348030000002', '2348030000003']);

  for (const naming of ['path', 'query:contact_id', 'body:contact_id']) {
    const count = (await numbers()).length;
    const [first] = await Array.fromAsync(phonebooks.allContacts({ phonebookId }));
    assert.ok(first);
    const deletion = { phonebookId, contactId: first.id };
    assert.equal((await withNaming(naming).phonebooks.deleteContact(deletion)).kind, 'accepted');
    assert.equal((await numbers()).length, count - 1);
    await ends(withNaming(naming).phonebooks.deleteContact(deletion), {
      kind: 'rejected',
      reason: 'not_found',
      status: 404,
    });
  }
});

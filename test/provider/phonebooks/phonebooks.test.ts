import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
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
    assert.ok(error.message.includes(`Missing or wrong: ${missing}.`), error.message);
    assert.equal(error.sent, 'maybe');
  }
});

test('refuses invalid input and names every fault', async (t) => {
  const { server, phonebooks } = await meets(t, {}, 'path');
  const file = { phonebookId, file: 'phone\n', countryCode: '234' };
  const cases: readonly (readonly [keyof typeof phonebooks, object, readonly string[]])[] = [
    ['contacts', { phonebookId: '../sender-id' }, ['phonebookId']],
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

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { anyCharacter } from '../../support/arbitrary-text.ts';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';
import { rounds } from '../../support/sizes.ts';

const phonebookId = 'pb1';
const deleted = { code: 200, data: { message: 'Gone' }, message: 'Contact deleted', status: 'success' };

const by = (contactDeleteBy?: string) => ({
  dialect: { chatChannel: 'chatapp', ...(contactDeleteBy !== undefined && { contactDeleteBy }) },
});

async function meets(t: TestContext, body: string | object, contactDeleteBy?: string) {
  const server = await serve(t, answer(200, body));
  return { server, phonebooks: testClient(t, server.url, by(contactDeleteBy)).account.phonebooks };
}

test('deletes a contact as the dialect names it', async (t) => {
  const path = '/api/phonebooks/pb1/contacts';
  for (const [naming, expectedPath, body] of [
    ['path', `${path}/c%401?api_key=${testKey}`, ''],
    ['query:contact_id', `${path}?contact_id=c%401&api_key=${testKey}`, ''],
    ['body:_id', path, { _id: 'c@1', api_key: testKey }],
  ] as const) {
    const { server, phonebooks } = await meets(t, deleted, naming);
    const outcome = await phonebooks.deleteContact({ phonebookId, contactId: 'c@1' });
    assert.deepEqual(outcome, {
      kind: 'accepted',
      value: { message: 'Contact deleted', data: { message: 'Gone' }, raw: deleted },
    });
    const [request] = server.requests;
    assert.equal(request?.method, 'DELETE');
    assert.equal(request.path, expectedPath);
    assert.equal(request.headers['content-type'], body === '' ? undefined : 'application/json');
    assert.deepEqual(body === '' ? request.body : JSON.parse(request.body), body);
  }
});

test('deletes no contact without the setting', async (t) => {
  const namings = [undefined, '', 'id', 'query', 'query:', 'body:', 'path:id', 'header:id', 'query:a b'];
  // The key would overwrite the id.
  for (const naming of [...namings, 'query:api_key', 'body:api_key']) {
    const { server, phonebooks } = await meets(t, deleted, naming);
    const error = await ends(phonebooks.deleteContact({ phonebookId, contactId: 'c1' }), {
      kind: 'not_sent',
      reason: 'not_configured',
    });
    assert.match(error.message, /Deleting contacts is off/);
    assert.equal(server.connections(), 0);
  }
});

const noIds = [
  '',
  ' ',
  '.',
  '..',
  '/',
  'a/b',
  'a\\b',
  'a?b',
  'a#b',
  '%2e%2e',
  'a;b',
  'a b',
  '\n',
  '\ud800',
  7,
  null,
];

test('refuses an invalid id', async (t) => {
  for (const naming of ['path', 'query:id', 'body:id']) {
    const { server, phonebooks } = await meets(t, deleted, naming);
    for (const id of [...noIds, undefined]) {
      for (const field of ['phonebookId', 'contactId']) {
        const input = { phonebookId, contactId: 'c1', [field]: id };
        const outcome = await Reflect.apply(phonebooks.deleteContact, undefined, [input]);
        const error = await ends(Promise.resolve(outcome), { kind: 'not_sent', reason: 'input' });
        assert.deepEqual(
          error.faults?.map((fault) => fault.field),
          [field],
          inspect(id),
        );
      }
    }
    assert.equal(server.connections(), 0);
  }
});

test('for any ids and setting, every deletion that leaves names its contact', async (t) => {
  const { server, phonebooks: inPath } = await meets(t, deleted, 'path');
  const inQuery = testClient(t, server.url, by('query:id')).account.phonebooks;
  const inBody = testClient(t, server.url, by('body:id')).account.phonebooks;
  const id = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.constantFrom('', ' ', '.', '..', '\u200b'),
  );
  await fc.assert(
    fc.asyncProperty(id, id, fc.nat(2), async (phonebookId, contactId, kind) => {
      const before = server.requests.length;
      const phonebooks = [inPath, inQuery, inBody][kind] ?? inPath;
      const { kind: ending } = await phonebooks.deleteContact({ phonebookId, contactId });
      const [request] = server.requests.slice(before);
      assert.equal(request === undefined, ending === 'not_sent');
      if (!request) {
        return;
      }
      assert.notEqual(contactId.trim(), '');
      const { pathname, searchParams } = new URL(request.path, server.url);
      const steps = pathname.split('/');
      assert.equal(steps.length, kind === 0 ? 6 : 5);
      const named = [
        decodeURIComponent(steps[5] ?? ''),
        searchParams.get('id'),
        request.body && JSON.parse(request.body).id,
      ][kind];
      assert.equal(named, contactId);
    }),
    { numRuns: rounds(100) },
  );
});

test('accepts a deletion only by its markers of success', async (t) => {
  const deletion = async (body: object) =>
    (await meets(t, body, 'path')).phonebooks.deleteContact({ phonebookId, contactId: 'c1' });
  for (const body of [
    { status: 'success' },
    { status: 'SUCCESS', code: '200' },
    { message: 'Contact deleted successfully' },
  ]) {
    assert.equal((await deletion(body)).kind, 'accepted', inspect(body));
  }
  for (const body of [
    {},
    { code: 200 },
    { message: 'Contact not deleted' },
    { status: 'pending', message: 'Contact deleted successfully' },
  ]) {
    await ends(deletion(body), { kind: 'unconfirmed', reason: 'unreadable_answer', status: 200 });
  }
  await ends(deletion({ status: 'error', message: 'Contact not found' }), {
    kind: 'rejected',
    reason: 'refused',
    status: 200,
  });
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fetchPhonebooks } from '../../../src/services/contacts/phonebooks.ts';
import { answer, type Behaviour } from '../../support/http/raw-server.ts';
import { serve, testClient } from '../../support/provider/provider-client.ts';

async function client(t: TestContext, behaviour: Behaviour) {
  const server = await serve(t, behaviour);
  const dialect = { chatChannel: 'chatapp', phonebooksPath: '/api/phonebooks' };
  return { server, account: testClient(t, server.url, { dialect }).account };
}

const perPage = 100;

/** Answers with this many whole pages. */
const paged =
  (pages: number): Behaviour =>
  (socket, received) => {
    const number = Number(new URL(received.path, 'http://localhost').searchParams.get('page'));
    const first = number * perPage;
    const content = Array.from({ length: perPage }, (_, at) => ({ id: `p${first + at}`, name: 'Book' }));
    // The first page also has an unreadable entry.
    const unreadable = pages > 10 && number === 0 ? [{ name: 'No id' }] : [];
    answer(200, {
      content: [...content, ...unreadable],
      number,
      totalPages: pages,
      last: number + 1 >= pages,
    })(socket, received);
  };

test('the whole list is fetched, within bounds', async (t) => {
  const few = await client(t, paged(3));
  const listed = await fetchPhonebooks(few.account);
  assert.ok('records' in listed);
  assert.deepEqual(
    listed.records.map(({ id }) => id),
    Array.from({ length: 3 * perPage }, (_, at) => `p${at}`),
  );
  assert.equal(listed.note, undefined);

  const many = await client(t, paged(5_000));
  const cut = await fetchPhonebooks(many.account);
  assert.ok('records' in cut);
  assert.equal(cut.records.length, 1_000);
  assert.equal(cut.note, 'Only the first 1000 are listed. 1 entry can’t be read and isn’t shown');
  assert.equal(many.server.requests.length, 11);
});

test('a provider that repeats a page, or fails, ends the list', async (t) => {
  const repeating = await client(
    t,
    answer(200, { content: [{ id: 'a1', name: 'Staff' }], totalPages: 9, last: false }),
  );
  const listed = await fetchPhonebooks(repeating.account);
  assert.ok('records' in listed && listed.records.length === 1);
  assert.equal(repeating.server.requests.length, 2);
  const { account } = await client(t, answer(403, { message: 'Not allowed' }));
  assert.deepEqual(await fetchPhonebooks(account), { failure: 'The provider’s list isn’t available' });
});

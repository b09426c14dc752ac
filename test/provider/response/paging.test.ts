import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ProviderFailure } from '../../../src/provider/errors.ts';
import type { PageQuery } from '../../../src/provider/response/paging.ts';
import type { SenderIdQuery } from '../../../src/provider/sender-ids.ts';
import { answer, type Behaviour, inTurn } from '../../support/http/raw-server.ts';
import { serve, testClient } from '../../support/provider/provider-client.ts';

const record = (name: string) => ({ sender_id: name });

async function page(t: TestContext, body: object, query?: PageQuery) {
  const { url } = await serve(t, answer(200, body));
  const outcome = await testClient(t, url).account.senderIds.list(query);
  assert.ok(outcome.kind === 'accepted');
  const { records, unreadable, raw, ...rest } = outcome.value;
  assert.deepEqual([raw, unreadable], [body, []]);
  return { count: records.length, ...rest };
}

test('reads every field of the envelope and keeps unknown ones in raw', async (t) => {
  const sort = { empty: false, sorted: true, unsorted: false };
  const pageable = { pageNumber: 2, pageSize: 2, offset: 4, paged: true, unpaged: false, sort };
  const counts = { number: 2, size: 2, numberOfElements: 1, totalElements: 5, totalPages: 3 };
  const rest = { ...counts, first: false, last: true, empty: false, sort, pageable };
  const body = { content: [record('Acme')], ...rest, cursor: 'x' };
  assert.deepEqual(await page(t, body), { count: 1, ...rest });
});

test('prefers the provider’s fields to derived ones', async (t) => {
  const said = {
    number: 3,
    size: 9,
    numberOfElements: 4,
    totalPages: 9,
    first: true,
    last: true,
    empty: true,
  };
  assert.deepEqual(await page(t, { content: [record('Acme')], ...said }), { count: 1, ...said });
});

test('reads a list without an envelope', async (t) => {
  const one = { count: 1, number: 0, size: 1, numberOfElements: 1, first: true, last: false, empty: false };
  assert.deepEqual(await page(t, { content: [record('Acme')] }), one);
  const absent = { totalPages: null, size: '', sort: [], pageable: 'INSTANCE', first: 'perhaps' };
  assert.deepEqual(await page(t, { content: [record('Acme')], ...absent }), one);
  assert.deepEqual(await page(t, { content: [record('Acme')] }, { page: 3, size: 1 }), {
    ...one,
    number: 3,
    first: false,
  });
  assert.deepEqual(await page(t, { content: [record('Acme')], totalPages: 4 }, { page: 3 }), {
    ...one,
    number: 3,
    totalPages: 4,
    first: false,
    last: true,
  });
  const none = { ...one, count: 0, size: 0, numberOfElements: 0, last: true, empty: true };
  assert.deepEqual(await page(t, { content: [] }, { page: 1 }), { ...none, number: 1, first: false });
  assert.deepEqual(await page(t, { content: [], totalElements: '0', size: '15', last: 'true' }), {
    ...none,
    size: 15,
    totalElements: 0,
  });
});

/** The names that the iterator yields, and the pages that it requested. */
async function all(t: TestContext, behaviour: Behaviour, query?: SenderIdQuery) {
  const server = await serve(t, behaviour);
  const names: string[] = [];
  for await (const { records } of testClient(t, server.url).account.senderIds.all(query)) {
    names.push(...records.map(({ senderId }) => senderId));
  }
  const asked = server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('page'));
  return { names, asked };
}

const full = (number: number, ...names: readonly string[]) =>
  answer(200, { content: names.map(record), number, size: 2, last: false });

test('leaves out what cannot be read, and goes on', async (t) => {
  const broken = { content: [null, record('A01'), {}], last: false };
  const server = await serve(t, answer(200, broken));
  const outcome = await testClient(t, server.url).account.senderIds.list();
  assert.ok(outcome.kind === 'accepted');
  const { records, unreadable, numberOfElements, size, empty } = outcome.value;
  assert.deepEqual(
    records.map(({ senderId }) => senderId),
    ['A01'],
  );
  assert.deepEqual(unreadable, [null, {}]);
  assert.deepEqual({ numberOfElements, size, empty }, { numberOfElements: 3, size: 3, empty: false });
  // A page without readable entries isn't the end, but a repeated page is.
  const nothing = (id: number) => answer(200, { content: [{ id }], last: false });
  const pages = inTurn(answer(200, broken), nothing(1), nothing(2), full(3, 'A02'), answer(200, broken));
  assert.deepEqual(await all(t, pages), { names: ['A01', 'A02'], asked: ['0', '1', '2', '3', '4'] });
});

test('iterates over every page up to the last', async (t) => {
  const pages = inTurn(
    full(0, 'A01', 'A02'),
    full(1, 'A03', 'A04'),
    answer(200, { content: [record('A05')], last: true }),
  );
  assert.deepEqual(await all(t, pages), {
    names: ['A01', 'A02', 'A03', 'A04', 'A05'],
    asked: ['0', '1', '2'],
  });
});

test('ends at an empty page, whatever its envelope says', async (t) => {
  assert.deepEqual(await all(t, inTurn(full(0, 'A01', 'A02'), full(1))), {
    names: ['A01', 'A02'],
    asked: ['0', '1'],
  });
});

test('sends the filters and the size with every page', async (t) => {
  const server = await serve(t, inTurn(full(3, 'A01', 'A02'), full(4)));
  const { account } = testClient(t, server.url);
  assert.equal(
    (await Array.fromAsync(account.senderIds.all({ status: 'active', page: 3, size: 2 }))).length,
    1,
  );
  for (const [index, { path }] of server.requests.entries()) {
    assert.match(path, new RegExp(`status=active&page=${3 + index}&size=2`));
  }
});

test('ends where the server repeats the same page', async (t) => {
  const { names, asked } = await all(
    t,
    answer(200, { content: [record('A01'), record('A02')], last: false }),
  );
  assert.deepEqual(names, ['A01', 'A02']);
  assert.deepEqual(asked, ['0', '1']);
});

test('ends at a repeated page number, even with other records', async (t) => {
  const { names } = await all(t, inTurn(full(0, 'A01', 'A02'), full(1, 'A03', 'A04'), full(1, 'A04', 'A05')));
  assert.deepEqual(names, ['A01', 'A02', 'A03', 'A04']);
});

test('ends at a cycle of pages', async (t) => {
  const bare = (...names: readonly string[]) => answer(200, { content: names.map(record), last: false });
  const { names } = await all(t, inTurn(bare('A01'), bare('A02'), bare('A03'), bare('A01')));
  assert.deepEqual(names, ['A01', 'A02', 'A03']);
});

test('throws the failure of a page after the records before it', async (t) => {
  const server = await serve(t, inTurn(full(0, 'A01', 'A02'), answer(401, { message: 'Invalid API key' })));
  const names: string[] = [];
  await assert.rejects(
    async () => {
      for await (const { records } of testClient(t, server.url).account.senderIds.all()) {
        names.push(...records.map(({ senderId }) => senderId));
      }
    },
    (failure) => {
      assert.ok(failure instanceof ProviderFailure);
      assert.equal(failure.kind, 'rejected');
      assert.equal(failure.error.reason, 'bad_key');
      assert.equal(failure.message, failure.error.message);
      return true;
    },
  );
  assert.deepEqual(names, ['A01', 'A02']);
});

test('fetches a page only when its records are read', async (t) => {
  const server = await serve(t, full(0, 'A01', 'A02'));
  for await (const _ of testClient(t, server.url).account.senderIds.all()) {
    break;
  }
  assert.equal(server.requests.length, 1);
});

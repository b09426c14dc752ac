import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, provide, send } from '../client.ts';

test('lists the sender IDs of the account in the paging envelope', async (t) => {
  const provider = await provide(t);
  const body = await (await get(provider, '/api/sender-id')).json();
  const { content, ...envelope } = body;
  const sort = { empty: false, sorted: true, unsorted: false };
  assert.deepEqual(envelope, {
    pageable: { sort, offset: 0, pageNumber: 0, pageSize: 15, paged: true, unpaged: false },
    totalElements: 7,
    totalPages: 1,
    last: true,
    first: true,
    size: 15,
    number: 0,
    numberOfElements: 7,
    empty: false,
    sort,
  });
  assert.deepEqual(content, provider.account.senderIds);
  assert.deepEqual(content[0], {
    sender_id: 'PalmSale',
    status: 'pending',
    country: 'Nigeria',
    createdAt: '2026-02-28 12:00:00',
    company: 'Palm Market Ltd',
    usecase: 'This weekend: a fifth off everything at your nearest Palm Market.',
  });
  const statuses = new Set(content.map(({ status }: { status: string }) => status));
  assert.deepEqual([...statuses].sort(), ['DECLINED', 'active', 'blocked', 'pending']);
});

test('lists more than 15 sender IDs on a second page', async (t) => {
  const provider = await provide(t);
  const api_key = provider.otherAccount.key;
  const pages = [];
  for (const page of ['0', '1', '2']) {
    pages.push(await (await get(provider, '/api/sender-id', { api_key, page })).json());
  }
  assert.deepEqual(
    pages.map(({ numberOfElements, first, last, empty, totalPages, totalElements }) => ({
      numberOfElements,
      first,
      last,
      empty,
      totalPages,
      totalElements,
    })),
    [
      { numberOfElements: 15, first: true, last: false, empty: false, totalPages: 2, totalElements: 18 },
      { numberOfElements: 3, first: false, last: true, empty: false, totalPages: 2, totalElements: 18 },
      { numberOfElements: 0, first: false, last: true, empty: true, totalPages: 2, totalElements: 18 },
    ],
  );
  assert.deepEqual([...pages[0].content, ...pages[1].content], provider.otherAccount.senderIds);
});

test('filters by name and status', async (t) => {
  const provider = await provide(t);
  const found = async (query: Record<string, string>) => {
    const { content } = await (await get(provider, '/api/sender-id', query)).json();
    return content.map(({ sender_id }: { sender_id: string }) => sender_id);
  };
  assert.deepEqual(await found({ name: 'palmc' }), ['PalmCare']);
  assert.deepEqual(await found({ status: 'declined' }), ['FreeCash']);
  assert.deepEqual(await found({ name: 'palm', status: 'pending' }), ['PalmSale']);
  assert.deepEqual(await found({ name: 'nobody' }), []);
});

test('accepts a pending sender ID once it is approved', async (t) => {
  const provider = await provide(t);
  assert.equal((await send(provider, { from: 'PalmSale' })).status, 404);
  provider.approveSenderId('PalmSale');
  assert.equal((await send(provider, { from: 'PalmSale' })).status, 200);
  const { content } = await (await get(provider, '/api/sender-id', { name: 'PalmSale' })).json();
  assert.deepEqual(Object.keys(content[0]).sort(), ['country', 'createdAt', 'sender_id', 'status']);
  assert.throws(() => provider.approveSenderId('Nobody'), /no sender ID Nobody/);
});

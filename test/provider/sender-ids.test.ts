import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SenderIdQuery } from '../../src/provider/sender-ids.ts';
import { Secret } from '../../src/secret.ts';
import { ends, list, serve, testClient, testKey } from '../support/provider-client.ts';
import { answer } from '../support/raw-server.ts';

async function pathOf(t: TestContext, query?: SenderIdQuery) {
  const server = await serve(t, answer(200, list));
  const outcome = await testClient(t, server.url).account.senderIds.list(query);
  assert.equal(outcome.kind, 'accepted');
  return server.requests[0]?.path;
}

test('filters and page go into the query, and only what was asked', async (t) => {
  assert.equal(await pathOf(t), `/api/sender-id?api_key=${testKey}`);
  assert.equal(await pathOf(t, { name: 'A&B c' }), `/api/sender-id?name=A%26B+c&api_key=${testKey}`);
  assert.equal(
    await pathOf(t, { status: 'active', page: 0, size: 50 }),
    `/api/sender-id?status=active&page=0&size=50&api_key=${testKey}`,
  );
});

test('sender IDs are told with what the provider knows of them', async (t) => {
  const active = {
    country: 'Nigeria',
    status: 'active',
    createdAt: '2025-05-12 10:20:27',
    sender_id: 'Acme',
  };
  const pending = {
    sender_id: 4477,
    status: 'DECLINED',
    company: 'Acme Ltd',
    usecase: 'Order updates',
    createdAt: 'soon',
    country: null,
  };
  const body = {
    content: [active, pending],
    totalElements: 17,
    totalPages: 2,
    size: 15,
    number: 0,
    last: false,
  };
  const { url } = await serve(t, answer(200, body));
  assert.deepEqual(await testClient(t, url).account.senderIds.list(), {
    kind: 'accepted',
    value: {
      records: [
        {
          senderId: 'Acme',
          status: 'active',
          country: 'Nigeria',
          createdAt: new Date('2025-05-12T09:20:27Z'),
          raw: active,
        },
        { senderId: '4477', status: 'declined', company: 'Acme Ltd', useCase: 'Order updates', raw: pending },
      ],
      number: 0,
      size: 15,
      numberOfElements: 2,
      totalElements: 17,
      totalPages: 2,
      first: true,
      last: false,
      empty: false,
      raw: body,
    },
  });
});

test('a page that cannot be is never asked for', async (t) => {
  const { account } = testClient(t, new URL('http://127.0.0.1:1'));
  for (const query of [
    { page: -1 },
    { page: 1.5 },
    { size: 0 },
    { size: 1001 },
    { name: ' ' },
    { status: '' },
  ]) {
    await ends(account.senderIds.list(query), { kind: 'not_sent', reason: 'input' });
  }
});

test('a key that cannot be one never leaves', async (t) => {
  const server = await serve(t, answer(200, list));
  const { provider } = testClient(t, server.url);
  for (const key of ['', 'with a blank in it', 'with-an-ümlaut-1']) {
    const error = await ends(provider.account(new Secret(key)).senderIds.list(), {
      kind: 'not_sent',
      reason: 'input',
    });
    assert.deepEqual(
      error.faults?.map(({ field }) => field),
      ['api_key'],
    );
    assert.ok(key === '' || !error.message.includes(key));
  }
  assert.equal(server.connections(), 0);
});

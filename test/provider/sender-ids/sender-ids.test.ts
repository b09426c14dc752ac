import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Secret } from '../../../src/lib/secret.ts';
import type { SenderIdQuery } from '../../../src/provider/sender-ids.ts';
import { answer } from '../../support/http/raw-server.ts';
import { ends, list, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

async function pathOf(t: TestContext, query?: SenderIdQuery) {
  const server = await serve(t, answer(200, list));
  const outcome = await testClient(t, server.url).account.senderIds.list(query);
  assert.equal(outcome.kind, 'accepted');
  return server.requests[0]?.path;
}

test('sends only the given filters and page', async (t) => {
  assert.equal(await pathOf(t), `/api/sender-id?api_key=${testKey}`);
  assert.equal(await pathOf(t, { name: 'A&B c' }), `/api/sender-id?name=A%26B+c&api_key=${testKey}`);
  assert.equal(
    await pathOf(t, { status: 'active', page: 0, size: 50 }),
    `/api/sender-id?status=active&page=0&size=50&api_key=${testKey}`,
  );
});

test('reads a number as a sender ID, a state in lower case, and leaves out what is no date', async (t) => {
  const record = { sender_id: 4477, status: 'DECLINED', createdAt: 'soon', country: null };
  const { url } = await serve(t, answer(200, { content: [record] }));
  const outcome = await testClient(t, url).account.senderIds.list();
  assert.ok(outcome.kind === 'accepted');
  assert.deepEqual(outcome.value.records, [{ senderId: '4477', status: 'declined', raw: record }]);
});

test('refuses an invalid page', async (t) => {
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

test('refuses an invalid key', async (t) => {
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

const wish = { senderId: 'Acme', useCase: 'Your basket waits for you.', company: 'Acme Ltd' };

test('refuses an invalid request and names every fault', async (t) => {
  const { account } = testClient(t, new URL('http://127.0.0.1:1'));
  for (const [input, fields] of [
    [{ ...wish, senderId: 'Acme Ltd' }, ['senderId']],
    [{ senderId: '', useCase: ' ', company: '' }, ['senderId', 'useCase', 'company']],
  ] as const) {
    const error = await ends(account.senderIds.request(input), { kind: 'not_sent', reason: 'input' });
    assert.deepEqual(
      error.faults?.map(({ field }) => field),
      fields,
    );
  }
});

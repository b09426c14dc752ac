import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

const dialect = { chatChannel: 'chatapp', balancePath: '/api/get-balance' };

async function balanceOf(t: TestContext, body: string, currency?: string) {
  const { url } = await serve(t, answer(200, body));
  return testClient(t, url, { dialect: { ...dialect, currency } }).account.balance.get();
}

const amountOf = async (t: TestContext, body: string, currency?: string) => {
  const outcome = await balanceOf(t, body, currency);
  return outcome.kind === 'accepted' ? outcome.value.amount : outcome.error.reason;
};

test('asks at the path that the dialect names, with the key', async (t) => {
  const body = { balance: 30, currency: 'NGN', application: 'Example', user: 'Example' };
  const server = await serve(t, answer(200, body));
  const outcome = await testClient(t, server.url, { dialect }).account.balance.get();
  assert.deepEqual(outcome, { kind: 'accepted', value: { amount: '30 NGN', raw: body } });
  assert.deepEqual(
    server.requests.map(({ method, path }) => `${method} ${path}`),
    [`GET /api/get-balance?api_key=${testKey}`],
  );
});

test('is off without a path, and asks nothing', async (t) => {
  const server = await serve(t, answer(200, { balance: 30 }));
  const call = testClient(t, server.url).account.balance.get();
  await ends(call, { kind: 'not_sent', reason: 'not_configured' });
  assert.equal(server.requests.length, 0);
});

test('an amount keeps every digit, and has the currency that is known', async (t) => {
  assert.equal(await amountOf(t, '{"balance": 24989.80, "currency": "ngn"}'), '24989.80 NGN');
  assert.equal(await amountOf(t, '{"balance": "24989.8"}'), '24989.8');
  assert.equal(await amountOf(t, '{"balance": -3.5, "currency": "naira"}'), '-3.5');
  assert.equal(await amountOf(t, '{"balance": 3.5}', 'NGN'), '3.5 NGN');
  assert.equal(await amountOf(t, '{"balance": 3.5, "currency": "USD"}', 'NGN'), '3.5 USD', 'the named one');
  assert.equal(await amountOf(t, '{"balance": 900719925474099.25}'), '900719925474099.25');
});

test('nothing that is no plain amount becomes a balance', async (t) => {
  for (const body of [
    '{}',
    '{"balance": null}',
    '{"balance": "plenty"}',
    '{"balance": 1e5}',
    '{"balance": {"amount": 3}}',
    '{"balance": "1,000"}',
    '[]',
    '<html>',
  ]) {
    assert.equal(await amountOf(t, body), 'unreadable_answer', body);
  }
  const refused = balanceOf(t, '{"code": 401, "message": "Invalid API key"}');
  await ends(refused, { kind: 'rejected', reason: 'bad_key', status: 200 });
});

test('a request that was cut off is made again: it changes nothing', async (t) => {
  let requests = 0;
  const { url } = await serve(t, (socket, received) => {
    requests += 1;
    if (requests === 1) {
      socket.destroy();
    } else {
      answer(200, { balance: 7 })(socket, received);
    }
  });
  const outcome = await testClient(t, url, { dialect }).account.balance.get();
  assert.deepEqual(outcome, { kind: 'accepted', value: { amount: '7', raw: { balance: 7 } } });
});

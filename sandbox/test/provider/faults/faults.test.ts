import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import type { ProviderFault } from '../../../provider/faults/faults.ts';
import { get, outcome, post, provide, send } from '../client.ts';

const insufficient = 'Insufficient balance. Kindly top up your account';

/** A fault, the outcome of a message with it, and the number of messages then on record. */
const faults: [ProviderFault, string, number][] = [
  [{ kind: 'cut_unread' }, 'no answer', 0],
  [{ kind: 'cut_before' }, 'no answer', 0],
  [{ kind: 'cut_after' }, 'no answer', 1],
  [{ kind: 'slow_headers', delay: 1 }, '200, ok: Successfully Sent', 1],
  [{ kind: 'slow_body', delay: 1 }, '200, ok: Successfully Sent', 1],
  [{ kind: 'cut_body' }, '200, body cut', 1],
  [{ kind: 'malformed_json' }, '200, application/json, not JSON', 1],
  [{ kind: 'empty' }, '200, empty', 1],
  [{ kind: 'status', status: 403 }, '403, 403: Forbidden', 0],
  [{ kind: 'status', status: 422, message: 'No', carriedOut: true }, '422, 422: No', 1],
  [{ kind: 'bad_gateway' }, '502, text/html, not JSON', 0],
  [{ kind: 'error_in_success' }, `200, 400: ${insufficient}`, 0],
  [{ kind: 'error_in_success', message: 'No' }, '200, 400: No', 0],
  [{ kind: 'answer', body: { code: 7, message: 'Seven' } }, '200, 7: Seven', 0],
  [{ kind: 'answer', body: Buffer.from([0x89, 0x50]) }, '200, application/json, not JSON', 0],
  [
    {
      kind: 'answer',
      status: 503,
      headers: { 'content-type': 'text/plain' },
      body: 'Busy',
      carriedOut: true,
    },
    '503, text/plain, not JSON',
    1,
  ],
  [
    { kind: 'reshape', body: (answer) => ({ code: 'wrapped', message: [answer].length }) },
    '200, wrapped: 1',
    1,
  ],
];

for (const [fault, expected, recorded] of faults) {
  test(`an ordered ${JSON.stringify(fault)} applies to one request only`, async (t) => {
    const provider = await provide(t);
    const order = provider.orderFault({ operation: 'messages.send', fault });
    assert.equal((await get(provider, '/api/sender-id')).status, 200);
    assert.equal(await outcome(send(provider)), expected);
    assert.equal(order.remaining, 0);
    assert.equal(provider.record.length, recorded);
    assert.equal(await outcome(send(provider)), '200, ok: Successfully Sent');
    assert.deepEqual(
      provider.arrivals.map(({ operation }) => operation),
      ['senderIds.list', 'messages.send', 'messages.send'],
    );
  });
}

test('stays silent until the client leaves', async (t) => {
  const ended = Promise.withResolvers<LoggedRequest>();
  const provider = await provide(t, { onExchange: ended.resolve });
  provider.orderFault({ fault: { kind: 'silence' } });
  const signal = AbortSignal.timeout(1_000);
  await assert.rejects(fetch(provider.url, { signal }), { name: 'TimeoutError' });
  assert.equal((await ended.promise).status, 'no answer');
});

test('redirects to the given address', async (t) => {
  const provider = await provide(t);
  const to = 'http://elsewhere.example/api/sms/send';
  provider.orderFault({ fault: { kind: 'redirect', to } });
  provider.orderFault({ fault: { kind: 'redirect', to, status: 302 } });
  for (const status of [307, 302]) {
    const response = await fetch(`${provider.url}/api/sms/send`, { method: 'POST', redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('location')], [status, to]);
  }
});

test('sends Retry-After with a 429 only when ordered', async (t) => {
  const provider = await provide(t);
  provider.orderFault({ fault: { kind: 'status', status: 429, headers: { 'retry-after': '2' } } });
  provider.orderFault({ fault: { kind: 'status', status: 429 } });
  assert.equal((await send(provider)).headers.get('retry-after'), '2');
  assert.equal((await send(provider)).headers.get('retry-after'), null);
});

test('delays the whole answer with slow headers, its second half with a slow body', async (t) => {
  const waits: number[] = [];
  const pause = Promise.withResolvers<void>();
  const wait = (milliseconds: number) => {
    waits.push(milliseconds);
    return pause.promise;
  };
  const provider = await provide(t, { wait, slowness: 700 });
  provider.orderFault({ fault: { kind: 'slow_body', delay: 9_000_000_000 } });
  const response = await send(provider);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  const length = Number(response.headers.get('content-length'));
  assert.equal(first?.value?.length, Math.floor(length / 2));
  provider.orderFault({ operation: 'messages.send', fault: { kind: 'slow_headers' } });
  const slow = send(provider);
  const rest = reader?.read();
  assert.equal(await Promise.race([slow, rest, get(provider, '/').then(() => 'later')]), 'later');
  pause.resolve();
  assert.equal((await rest)?.value?.length, Math.ceil(length / 2));
  assert.equal(await outcome(slow), '200, ok: Successfully Sent');
  assert.deepEqual(waits, [9_000_000_000, 700]);
});

test('applies a fault to its method and path, for the ordered number of times', async (t) => {
  const provider = await provide(t);
  const fault: ProviderFault = { kind: 'status', status: 503 };
  const order = provider.orderFault({ method: 'GET', path: '/api/nowhere', fault, times: 2 });
  const statuses: number[] = [];
  for (const [method, path] of [
    ['POST', '/api/nowhere'],
    ['GET', '/api/elsewhere'],
    ['GET', '/api/nowhere?query=1'],
    ['GET', '/api/nowhere'],
    ['GET', '/api/nowhere'],
  ] as const) {
    statuses.push((await fetch(`${provider.url}${path}`, { method })).status);
  }
  assert.deepEqual(statuses, [404, 404, 503, 503, 404]);
  assert.equal(order.remaining, 0);
  assert.equal(provider.arrivals[0]?.operation, undefined);
});

test('applies faults in the order of their orders', async (t) => {
  const provider = await provide(t);
  for (const status of [500, 501, 502]) {
    provider.orderFault({ fault: { kind: 'status', status } });
  }
  const statuses = [];
  for (let count = 0; count < 4; count += 1) {
    statuses.push((await send(provider)).status);
  }
  assert.deepEqual(statuses, [500, 501, 502, 200]);
});

test('applies a fault to every request until it is cancelled', async (t) => {
  const provider = await provide(t);
  const order = provider.orderFault({ fault: { kind: 'cut_unread' }, times: Infinity });
  for (let count = 0; count < 5; count += 1) {
    assert.equal(await outcome(send(provider)), 'no answer');
  }
  assert.equal(order.remaining, Infinity);
  assert.equal(provider.arrivals.length, 5);
  order.cancel();
  assert.equal(order.remaining, 0);
  assert.equal((await send(provider)).status, 200);
});

test('cancels every order on a reset', async (t) => {
  const provider = await provide(t);
  const order = provider.orderFault({ fault: { kind: 'cut_before' } });
  provider.reset();
  assert.equal(order.remaining, 0);
  assert.equal((await send(provider)).status, 200);
});

test('applies a fault to a wrong request too, and before a magic number', async (t) => {
  const provider = await provide(t);
  provider.orderFault({ fault: { kind: 'status', status: 418, carriedOut: true } });
  assert.equal((await post(provider, '/api/sms/send', {})).status, 418);
  provider.orderFault({ fault: { kind: 'slow_headers', delay: 1 } });
  assert.equal((await send(provider, { to: '2348030009500' })).status, 200);
  provider.orderFault({ fault: { kind: 'malformed_json' } });
  const malformed = await send(provider, { from: 'Nobody' });
  assert.equal(malformed.status, 200);
  await assert.rejects(malformed.json(), SyntaxError);
  provider.orderFault({ fault: { kind: 'empty' } });
  assert.equal(await outcome(send(provider, { from: 'Nobody' })), '200, empty');
  assert.equal(provider.record.length, 1);
});

test('cuts a request unread before its body arrives', async (t) => {
  const provider = await provide(t);
  provider.orderFault({ operation: 'insight.checkDnd', fault: { kind: 'cut_unread' } });
  const request = httpRequest(`${provider.url}/api/check/dnd`, { headers: { 'content-length': 1000 } });
  const cut = new Promise((resolve) => request.on('error', resolve));
  request.flushHeaders();
  await cut;
  assert.deepEqual(
    provider.arrivals.map(({ operation, text }) => [operation, text]),
    [['insight.checkDnd', '']],
  );
});

test('reads a request to its end for any other fault', async (t) => {
  const provider = await provide(t);
  const operation = 'senderIds.request';
  provider.orderFault({ operation, fault: { kind: 'cut_after' } });
  const api_key = provider.account.key;
  const request = { api_key, sender_id: 'Palmful', use_case: 'A message.', company: 'Palm' };
  await assert.rejects(post(provider, '/api/sender-id/request', request));
  assert.equal(provider.account.senderIds[0]?.sender_id, 'Palmful');
});

test('refuses an order for half a request, or none', async (t) => {
  const provider = await provide(t);
  for (const times of [0, -1, 1.5, Number.NaN]) {
    assert.throws(() => provider.orderFault({ fault: { kind: 'cut_before' }, times }), RangeError);
  }
});

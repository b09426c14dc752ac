import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../../src/lib/secret.ts';
import { answer } from '../../support/http/raw-server.ts';
import { selfSigned } from '../../support/http/self-signed-certificate.ts';
import {
  ends,
  read,
  send,
  serve,
  taken,
  testClient,
  testKey,
} from '../../support/provider/provider-client.ts';

test('keeps and reuses connections', async (t) => {
  const server = await serve(t, answer(200, taken));
  const { account } = testClient(t, server.url, { connections: 1 });
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await send(account)).kind, 'accepted');
  }
  assert.equal(server.connections(), 1);
});

test('never follows a redirect', async (t) => {
  const elsewhere = await serve(t, answer(200, taken));
  for (const status of [301, 302, 307, 308]) {
    const server = await serve(t, answer(status, '', { location: `${elsewhere.url}api/sms/send` }));
    const { account } = testClient(t, server.url);
    await ends(send(account), { kind: 'rejected', reason: 'redirected', status });
    await ends(read(account), { kind: 'rejected', reason: 'redirected', status });
  }
  const done = await serve(t, answer(303, '', { location: `${elsewhere.url}done` }));
  const { account } = testClient(t, done.url);
  await ends(send(account), { kind: 'unconfirmed', reason: 'redirected', status: 303 });
  assert.equal(elsewhere.connections(), 0);
});

test('uses HTTPS with a trusted certificate, over HTTP/1.1 only', async (t) => {
  const certificate = selfSigned();
  const server = await serve(t, { certificate, onRequest: answer(200, taken) });
  const { account } = testClient(t, server.url, { connect: { ca: certificate.cert } });
  assert.equal((await send(account)).kind, 'accepted');
});

test('limits concurrency per account', async (t) => {
  const held: Array<() => void> = [];
  const server = await serve(t, (socket, received) => {
    const reply = () => answer(200, taken)(socket, received);
    if (received.body.includes(testKey)) {
      held.push(reply);
    } else {
      reply();
    }
  });
  const { provider, account } = testClient(t, server.url, { connections: 4, concurrencyPerAccount: 2 });
  const busy = [send(account), send(account), send(provider.account(new Secret(testKey)))];
  await server.received(2);
  const other = provider.account(new Secret('another-key-0001'));
  assert.equal((await send(other)).kind, 'accepted');
  assert.equal(held.length, 2, 'the third call of the busy account went out before its turn');
  held.shift()?.();
  await server.received(4);
  for (const reply of held) {
    reply();
  }
  assert.deepEqual(
    (await Promise.all(busy)).map(({ kind }) => kind),
    ['accepted', 'accepted', 'accepted'],
  );
});

test('opens at most `connections` connections', async (t) => {
  const server = await serve(t, answer(200, taken));
  const { account } = testClient(t, server.url, { connections: 2, concurrencyPerAccount: 50 });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(account)));
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'));
  assert.equal(server.requests.length, 20);
  assert.equal(server.connections(), 2);
});

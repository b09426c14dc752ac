import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { noon, post, provide, provideWithClock } from '../client.ts';
import { authenticate, esimClient } from './client.ts';

const day = 24 * 60 * 60 * 1000;

test('a token looks like a JWT that expires a day later', async (t) => {
  const provider = await provide(t);
  const response = await post(provider, '/api/esim/authenticate', { api_key: provider.account.key });
  const body = await response.json();
  assert.deepEqual(Object.keys(body), ['token']);
  const parts: string[] = body.token.split('.');
  assert.equal(parts.length, 3);
  const [header, payload] = parts
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  assert.deepEqual(header, { alg: 'HS256', typ: 'JWT' });
  assert.deepEqual(payload, {
    sub: '41207',
    iat: noon.getTime() / 1000,
    exp: (noon.getTime() + day) / 1000,
  });
  assert.equal(provider.arrivals[0]?.operation, 'esims.authenticate');
});

test('a wrong key gets no token, and neither does a field too many', async (t) => {
  const provider = await provide(t);
  for (const [body, status] of [
    [{ api_key: 'x' }, 401],
    [{}, 401],
    [{ api_key: provider.account.key, scope: 'all' }, 400],
  ] as const) {
    assert.equal((await post(provider, '/api/esim/authenticate', body)).status, status);
  }
});

test('a token opens every door until it expires', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const client = await esimClient(provider);
  pass(day - 1);
  assert.equal((await client.get('/fetch/esims')).status, 200);
  pass(1);
  const response = await client.get('/fetch/esims');
  assert.equal(response.status, 401);
  assert.deepEqual(await response.json(), {
    code: 401,
    message: 'The token is missing, wrong or expired',
    status: 'error',
    link: 'uri=/esim/fetch/esims',
  });
});

test('tokens expire at once where a test says so, and a new one is good again', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  provider.expireTokens();
  assert.equal((await client.get('/countries/all')).status, 401);
  const again = await esimClient(provider);
  assert.equal((await again.get('/countries/all')).status, 200);
  assert.equal((await client.get('/countries/all')).status, 401);
});

test('a token counts in its header alone, and a key does not take its place', async (t) => {
  const provider = await provide(t);
  const { key } = provider.account;
  const token = await authenticate(provider);
  const url = `${provider.url}/api/esim/fetch/esims`;
  assert.equal((await fetch(url)).status, 401);
  assert.equal((await fetch(url, { headers: { 'x-token': key } })).status, 401);
  assert.equal((await fetch(url, { headers: { 'x-token': `Bearer ${token}` } })).status, 401);
  assert.equal((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status, 401);
  assert.equal((await fetch(`${url}?api_key=${key}`)).status, 401);
  assert.equal((await fetch(`${url}?api_key=${key}`, { headers: { 'x-token': token } })).status, 400);
});

test('a token sees the eSIMs of its own account alone', async (t) => {
  const provider = await provide(t);
  const foreign = provider.fullAccount.sims[0]?.iccid;
  const client = await esimClient(provider);
  assert.equal((await client.get(`/euicc/${foreign}`)).status, 404);
  const other = await esimClient(provider, provider.otherAccount.key);
  assert.deepEqual((await (await other.get('/fetch/esims')).json()).content, []);
});

test('the inspector shows no token, whatever becomes of the answer', async (t) => {
  const exchanges: LoggedRequest[] = [];
  const provider = await provide(t, { onExchange: (exchange) => exchanges.push(exchange) });
  const token = await authenticate(provider);
  provider.orderFault({ fault: { kind: 'reshape', body: (answer) => ({ data: answer }) } });
  provider.orderFault({ fault: { kind: 'cut_body' } });
  const body = { api_key: provider.account.key };
  const reshaped = await (await post(provider, '/api/esim/authenticate', body)).json();
  await (await post(provider, '/api/esim/authenticate', body)).text().catch(() => {});
  await provider.stop();
  const answers = exchanges.map(({ answer }) => answer);
  assert.deepEqual(answers[0], { token: `•••${token.slice(-4)}` });
  assert.deepEqual(answers[1], { data: { token: `•••${reshaped.data.token.slice(-4)}` } });
  assert.equal(answers.length, 3);
  assert.doesNotMatch(JSON.stringify(exchanges), /eyJ/);
});

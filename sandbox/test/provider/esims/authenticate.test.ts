import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { noon, post, provide, provideWithClock } from '../client.ts';
import { authenticate, esimClient } from './client.ts';

const day = 24 * 60 * 60 * 1000;

test('issues a token in the form of a JWT that expires a day later', async (t) => {
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

test('accepts a token until it expires', async (t) => {
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

test('expires tokens on request, and accepts a new one', async (t) => {
  const provider = await provide(t);
  const client = await esimClient(provider);
  provider.expireTokens();
  assert.equal((await client.get('/countries/all')).status, 401);
  const again = await esimClient(provider);
  assert.equal((await again.get('/countries/all')).status, 200);
  assert.equal((await client.get('/countries/all')).status, 401);
});

test('shows only the eSIMs of its own account', async (t) => {
  const provider = await provide(t);
  const foreign = provider.fullAccount.sims[0]?.iccid;
  const client = await esimClient(provider);
  assert.equal((await client.get(`/euicc/${foreign}`)).status, 404);
  const other = await esimClient(provider, provider.otherAccount.key);
  assert.deepEqual((await (await other.get('/fetch/esims')).json()).content, []);
});

test('masks tokens in the request log, whatever the answer', async (t) => {
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

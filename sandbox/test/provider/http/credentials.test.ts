import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, message, post, provide, send } from '../client.ts';

test('refuses a wrong or missing key', async (t) => {
  const provider = await provide(t);
  for (const api_key of [undefined, '', 'sandbox-key-of-nobody', 4711, null]) {
    const response = await send(provider, { api_key });
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), {
      code: 401,
      message: 'The API key is missing or wrong',
      status: 'error',
      link: 'uri=/sms/send',
    });
  }
  assert.equal((await get(provider, '/api/sender-id', { api_key: 'x' })).status, 401);
  assert.deepEqual(provider.record, []);
});

test('accepts the key of a message only in its body', async (t) => {
  const provider = await provide(t);
  const { key } = provider.account;
  const body = message(provider, { api_key: undefined });
  assert.equal((await post(provider, `/api/sms/send?api_key=${key}`, body)).status, 401);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'x-token': key };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  assert.equal((await fetch(`${provider.url}/api/sms/send`, request)).status, 401);
});

test('accepts the key of a GET only in the query', async (t) => {
  const provider = await provide(t);
  const headers = { authorization: `Bearer ${provider.account.key}` };
  assert.equal((await fetch(`${provider.url}/api/sender-id`, { headers })).status, 401);
  const twice = `api_key=${provider.account.key}&api_key=${provider.account.key}`;
  assert.equal((await fetch(`${provider.url}/api/sender-id?${twice}`)).status, 401);
});

test('refuses a key in the query beside the one in the body', async (t) => {
  const provider = await provide(t);
  const path = `/api/sms/send?api_key=${provider.account.key}`;
  const response = await post(provider, path, message(provider));
  assert.equal(response.status, 400);
  assert.equal((await response.json()).message, 'unknown field: api_key');
});

test('separates the accounts of different keys', async (t) => {
  const provider = await provide(t);
  const { account, otherAccount } = provider;
  assert.equal((await send(provider, { from: 'TideAgency' })).status, 404);
  await send(provider, { api_key: otherAccount.key, from: 'TideAgency', channel: 'generic' });
  assert.equal(provider.account.balance, account.balance);
  assert.equal(provider.otherAccount.balance, otherAccount.balance - 3.4);
  assert.equal(provider.record[0]?.account, otherAccount.key);
  await get(provider, '/api/sender-id', { api_key: 'x' });
  assert.deepEqual(
    provider.arrivals.map((arrival) => arrival.account),
    [account.key, otherAccount.key, undefined],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, message, post, provide, send } from '../client.ts';

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

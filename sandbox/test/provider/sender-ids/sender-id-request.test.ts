import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderSandbox } from '../../../provider/server.ts';
import { get, noon, post, provide, send } from '../client.ts';

const right = { sender_id: 'PalmNews', use_case: 'Open on Sunday as well.', company: 'Palm Market Ltd' };

function request(provider: ProviderSandbox, changes: Record<string, unknown> = {}) {
  const body = { api_key: provider.account.key, ...right, ...changes };
  return post(provider, '/api/sender-id/request', body);
}

async function find(provider: ProviderSandbox, name: string) {
  const { content } = await (await get(provider, '/api/sender-id', { name })).json();
  return content[0];
}

test('lists a requested sender ID as pending, and as active two minutes later', async (t) => {
  let now = noon;
  const provider = await provide(t, { clock: () => now });
  const response = await request(provider);
  assert.equal(response.status, 200);
  const answer = await response.json();
  assert.deepEqual(answer, { code: 'ok', message: answer.message });
  assert.match(answer.message, /account manager/);
  assert.equal(provider.arrivals[0]?.operation, 'senderIds.request');
  const pending = {
    sender_id: 'PalmNews',
    status: 'pending',
    country: 'Nigeria',
    createdAt: '2026-03-02 12:00:00',
    company: 'Palm Market Ltd',
    usecase: 'Open on Sunday as well.',
  };
  now = new Date(noon.getTime() + 119_999);
  assert.deepEqual(await find(provider, 'PalmNews'), pending);
  assert.equal((await send(provider, { from: 'PalmNews' })).status, 404);
  now = new Date(noon.getTime() + 120_000);
  const { company, usecase, ...active } = { ...pending, status: 'active' };
  assert.deepEqual(await find(provider, 'PalmNews'), active);
  assert.equal((await send(provider, { from: 'PalmNews' })).status, 200);
  assert.equal(provider.account.senderIds[0]?.sender_id, 'PalmNews');
});

test('declines a request whose use case contains "declin"', async (t) => {
  let now = noon;
  const provider = await provide(t, { clock: () => now });
  await request(provider, { sender_id: '55020', use_case: 'Please decline this.' });
  assert.equal((await find(provider, '55020')).status, 'pending');
  now = new Date(noon.getTime() + 120_000);
  assert.equal(provider.account.senderIds[0]?.status, 'DECLINED');
  assert.equal((await find(provider, '55020')).status, 'DECLINED');
});

const wrong: [string, Record<string, unknown>, RegExp][] = [
  ['an empty use case', { use_case: ' ' }, /^use_case: must not be empty$/],
  ['a name that the account has', { sender_id: 'PalmMarket' }, /already exists/],
];

for (const [what, changes, expected] of wrong) {
  test(`a request with ${what} is refused`, async (t) => {
    const provider = await provide(t);
    const before = provider.account.senderIds.length;
    const response = await request(provider, changes);
    assert.equal(response.status, 400);
    assert.match((await response.json()).message, expected);
    assert.equal(provider.account.senderIds.length, before);
  });
}

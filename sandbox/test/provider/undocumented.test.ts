import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderSandbox } from '../../provider/server.ts';
import { get, post, provide, provideWithClock, send } from './client.ts';

async function generate(provider: ProviderSandbox, changes: Record<string, unknown> = {}) {
  const response = await post(provider, '/api/sms/otp/generate', {
    api_key: provider.account.key,
    pin_type: 'NUMERIC',
    phone_number: '2348030000011',
    pin_attempts: 2,
    pin_time_to_live: 5,
    pin_length: 6,
    ...changes,
  });
  const { pin_id, otp } = await response.json();
  const wrong = otp === '000000' ? '000001' : '000000';
  return { pin_id, otp, wrong };
}

async function verify(provider: ProviderSandbox, pin_id: string, pin: string) {
  const body = { api_key: provider.account.key, pin_id, pin };
  const response = await post(provider, '/api/sms/otp/verify', body);
  return response.status === 200 ? (await response.json()).verified : response.status;
}

test('verifies a code once', async (t) => {
  const provider = await provide(t);
  const { pin_id, otp } = await generate(provider);
  const body = { api_key: provider.account.key, pin_id, pin: otp };
  const response = await post(provider, '/api/sms/otp/verify', body);
  assert.deepEqual(await response.json(), { pinId: pin_id, verified: 'True', msisdn: '2348030000011' });
  assert.equal(await verify(provider, pin_id, otp), 404);
});

test('verifies a code by message', async (t) => {
  const provider = await provide(t);
  const response = await post(provider, '/api/sms/otp/send', {
    api_key: provider.account.key,
    pin_type: 'ALPHANUMERIC',
    to: '2348030000011',
    from: 'PalmMarket',
    channel: 'dnd',
    pin_attempts: 1,
    pin_time_to_live: 5,
    pin_length: 8,
    pin_placeholder: '<code>',
    message_text: '<code>',
  });
  const { pinId } = await response.json();
  assert.equal(await verify(provider, pinId, provider.record[0]?.text ?? ''), 'True');
});

test('uses up an attempt for each wrong code', async (t) => {
  const provider = await provide(t);
  const patient = await generate(provider);
  assert.equal(await verify(provider, patient.pin_id, patient.wrong), false);
  assert.equal(await verify(provider, patient.pin_id, patient.otp), 'True');
  const { pin_id, otp, wrong } = await generate(provider);
  assert.equal(await verify(provider, pin_id, wrong), false);
  assert.equal(await verify(provider, pin_id, wrong), false);
  assert.equal(await verify(provider, pin_id, otp), false);
});

test('expires a code after its time to live and forgets it a day later', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  const { pin_id, otp, wrong } = await generate(provider);
  pass(5 * 60_000 - 1);
  assert.equal(await verify(provider, pin_id, wrong), false);
  pass(1);
  assert.equal(await verify(provider, pin_id, otp), 'Expired');
  pass(24 * 60 * 60_000);
  assert.equal(await verify(provider, pin_id, otp), 404);
});

test('lists the phonebooks with the number of their contacts', async (t) => {
  const provider = await provide(t);
  const { content, totalElements } = await (await get(provider, '/api/phonebooks')).json();
  assert.equal(totalElements, 2);
  assert.deepEqual(content[0], {
    id: '64c07f1e9d2b5a8813e4f0a1',
    name: 'Loyal customers',
    total_number_of_contacts: 18,
    date_created: '2026-03-02 12:00:00',
  });
});

test('lists the phonebooks in pages, the first of which is page 0', async (t) => {
  const provider = await provide(t);
  const pages = await Promise.all(
    ['0', '1', '2'].map(async (page) => (await get(provider, '/api/phonebooks', { page, size: '1' })).json()),
  );
  assert.deepEqual(
    pages.map(({ number, size, totalPages, last, content }) => [
      number,
      size,
      totalPages,
      last,
      content.map(({ name }: { name: string }) => name),
    ]),
    [
      [0, 1, 2, false, ['Loyal customers']],
      [1, 1, 2, true, ['Shop managers']],
      [2, 1, 2, true, []],
    ],
  );
});

test('refuses a wrong key, an unknown field and a wrong page', async (t) => {
  const provider = await provide(t);
  for (const path of ['/api/get-balance', '/api/phonebooks', '/api/sms/inbox']) {
    assert.equal((await get(provider, path, { api_key: 'a-key-of-nobody' })).status, 401, path);
    assert.equal((await get(provider, path, { no_such_field: '1' })).status, 400, path);
  }
  for (const query of [{ page: '-1' }, { page: 'one' }, { size: '0' }]) {
    assert.equal((await get(provider, '/api/phonebooks', query)).status, 400);
  }
  const { pin_id, otp: pin } = await generate(provider);
  const right = { api_key: provider.account.key, pin_id, pin };
  for (const [changes, status] of [
    [{ api_key: 'a-key-of-nobody' }, 401],
    [{ no_such_field: 1 }, 400],
    [{ pin: Number(pin) }, 400],
    [{ pin_id: undefined }, 400],
    // Of another account.
    [{ api_key: provider.fullAccount.key }, 404],
  ] as const) {
    assert.equal((await post(provider, '/api/sms/otp/verify', { ...right, ...changes })).status, status);
  }
  assert.equal(await verify(provider, pin_id, pin), 'True', 'no attempt was used up');
});

test('returns the balance', async (t) => {
  const provider = await provide(t);
  await send(provider);
  assert.deepEqual(await (await get(provider, '/api/get-balance')).json(), {
    balance: 24_995.75,
    currency: 'NGN',
    application: 'Palm Market',
    user: 'Palm Market',
  });
});

test('lists a history entry per recipient, the newest message first', async (t) => {
  const provider = await provide(t);
  await send(provider, { channel: 'generic', to: ['2348020000011', '2348020000017'] });
  const call = { api_key: provider.account.key, phone_number: '2348030000011', code: '0471' };
  await post(provider, '/api/sms/otp/call', call);
  const entries = await (await get(provider, '/api/sms/inbox')).json();
  const [first, second] = provider.record;
  const common = { amount: 3.4, reroute: 0, send_by: 'api', created_at: '2026-03-02 12:00:00' };
  const ofFirst = {
    ...common,
    sender: 'PalmMarket',
    message: 'Your order is on its way.',
    sms_type: 'generic',
    message_id: first?.id,
  };
  assert.deepEqual(entries, [
    {
      ...common,
      receiver: '2348030000011',
      message: '0471',
      amount: 7.9,
      status: 'Delivered',
      sms_type: 'voice',
      message_id: second?.id,
    },
    { ...ofFirst, receiver: '2348020000011', status: 'Delivered' },
    { ...ofFirst, receiver: '2348020000017', status: 'DND Active on Phone Number' },
  ]);
  const one = await (await get(provider, '/api/sms/inbox', { message_id: first?.id ?? '' })).json();
  assert.equal(one.length, 2);
  const other = { api_key: provider.otherAccount.key };
  assert.deepEqual(await (await get(provider, '/api/sms/inbox', other)).json(), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderSandbox } from '../../../provider/server.ts';
import { post, provide } from '../client.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const pin = { pin_type: 'NUMERIC', pin_attempts: 3, pin_time_to_live: 5, pin_length: 6 };

/** A request that is right in every field, for each kind of one-time code. */
const right = {
  '/api/sms/otp/send': {
    ...pin,
    to: '2348030000011',
    from: 'PalmMarket',
    channel: 'dnd',
    pin_placeholder: '<code>',
    message_text: 'Your code is <code>.',
  },
  '/api/sms/otp/generate': { ...pin, phone_number: '2348030000011' },
  '/api/sms/otp/call': { phone_number: '2348030000011', code: '0471' },
  '/api/email/otp/send': {
    email_address: 'ada@mail.example',
    code: '0471',
    email_configuration_id: 'palm-market-receipts-7c41',
  },
};

type Path = keyof typeof right;

function ask(provider: ProviderSandbox, path: Path, changes: Record<string, unknown> = {}) {
  return post(provider, path, { api_key: provider.account.key, ...right[path], ...changes });
}

test('sends a code in place of its placeholder, and keeps it out of the answer', async (t) => {
  const provider = await provide(t);
  const changes = { pin_placeholder: '$&', message_text: '$& is your code. Do not share $&.' };
  const response = await ask(provider, '/api/sms/otp/send', changes);
  const body = await response.json();
  assert.equal(response.status, 200);
  const [sent] = provider.record;
  assert.deepEqual(body, {
    smsStatus: 'Message Sent',
    phone_number: '2348030000011',
    to: '2348030000011',
    pinId: body.pin_id,
    pin_id: body.pin_id,
    message_id_str: sent?.id,
    status: '200',
  });
  assert.match(body.pin_id, uuid);
  assert.match(sent?.text ?? '', /^(\d{6}) is your code\. Do not share \1\.$/);
  assert.deepEqual(
    [sent?.operation, sent?.channel, sent?.from, sent?.to, sent?.costInKobo],
    ['tokens.send', 'dnd', 'PalmMarket', ['2348030000011'], 425],
  );
  assert.equal(provider.account.balance, 24_995.75);
});

test('creates an alphanumeric code of the requested length', async (t) => {
  const provider = await provide(t);
  const changes = { pin_type: 'ALPHANUMERIC', message_type: 'ALPHANUMERIC', pin_length: 8 };
  await ask(provider, '/api/sms/otp/send', changes);
  assert.match(provider.record[0]?.text ?? '', /^Your code is [0-9A-Z]{8}\.$/);
});

test('returns a generated code, and neither sends nor charges it', async (t) => {
  const provider = await provide(t);
  const { balance } = provider.account;
  const codes = new Set<string>();
  for (let count = 0; count < 5; count += 1) {
    const response = await ask(provider, '/api/sms/otp/generate', { pin_length: 4 + (count % 5) });
    const body = await response.json();
    assert.deepEqual(body, {
      phone_number_other: '2348030000011',
      phone_number: '2348030000011',
      otp: body.otp,
      pin_id: body.pin_id,
    });
    assert.match(body.otp, new RegExp(`^\\d{${4 + (count % 5)}}$`));
    assert.match(body.pin_id, uuid);
    codes.add(body.pin_id);
  }
  assert.equal(codes.size, 5);
  assert.deepEqual(provider.record, []);
  assert.equal(provider.account.balance, balance);
});

for (const path of ['/api/sms/otp/call', '/api/sms/otp/send/voice']) {
  test(`calls a code out by ${path}`, async (t) => {
    const provider = await provide(t);
    const body = { api_key: provider.account.key, ...right['/api/sms/otp/call'] };
    const response = await post(provider, path, body);
    const answer = await response.json();
    assert.equal(response.status, 200);
    assert.deepEqual(answer, {
      code: 'ok',
      balance: 24_992.1,
      message_id: answer.message_id,
      pinId: answer.pinId,
      message: 'Successfully Sent',
    });
    assert.match(answer.message_id, /^\d{25}$/);
    assert.match(answer.pinId, uuid);
    assert.deepEqual([provider.record[0]?.channel, provider.record[0]?.text], ['voice', '0471']);
    assert.equal(provider.arrivals[0]?.operation, 'tokens.call');
  });
}

test('answers a code by e-mail with the balance as a string', async (t) => {
  const provider = await provide(t);
  const response = await ask(provider, '/api/email/otp/send');
  const body = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual(body, {
    code: 'ok',
    balance: '24998.75',
    message_id: body.message_id,
    message: 'Successfully Sent',
    user: 'Palm Market',
  });
  const [sent] = provider.record;
  assert.deepEqual([sent?.channel, sent?.to, sent?.text], ['email', ['ada@mail.example'], '0471']);
});

test('refuses a sender ID for codes with the error body in one string', async (t) => {
  const provider = await provide(t);
  const response = await ask(provider, '/api/sms/otp/send', { from: 'PalmSale' });
  assert.equal(response.status, 404);
  const [, status, inner] = /^(\d+) : "(.*)"$/.exec(await response.text()) ?? [];
  assert.equal(status, '404');
  assert.deepEqual(JSON.parse(inner ?? ''), {
    code: 404,
    message: 'ApplicationSenderId not found for applicationId: 41207 and senderName: PalmSale',
    status: 'error',
    link: 'uri=/sms/otp/send',
  });
});

test('refuses an e-mail configuration of another account', async (t) => {
  const provider = await provide(t);
  const api_key = provider.otherAccount.key;
  const response = await ask(provider, '/api/email/otp/send', { api_key });
  assert.equal(response.status, 404);
  assert.match((await response.json()).message, /^Email configuration not found: palm-market-receipts-7c41$/);
});

test('refuses a code beyond the balance', async (t) => {
  const provider = await provide(t);
  provider.setBalance(1);
  for (const path of ['/api/sms/otp/send', '/api/sms/otp/call', '/api/email/otp/send'] as const) {
    const response = await ask(provider, path);
    assert.equal(response.status, 400);
    assert.match((await response.json()).message, /balance/);
  }
  assert.deepEqual(provider.record, []);
});

test('triggers the fault of a magic number for every kind of code', async (t) => {
  const provider = await provide(t);
  const number = '2348030009500';
  assert.equal((await ask(provider, '/api/sms/otp/send', { to: number })).status, 500);
  assert.equal((await ask(provider, '/api/sms/otp/generate', { phone_number: number })).status, 500);
  assert.equal((await ask(provider, '/api/sms/otp/call', { phone_number: number })).status, 500);
});

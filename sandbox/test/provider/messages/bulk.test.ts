import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderSandbox } from '../../../provider/server.ts';
import { post, provide } from '../client.ts';

const numbers = Array.from({ length: 101 }, (_, index) => String(2348030100000 + index));

function sendBulk(provider: ProviderSandbox, changes: Record<string, unknown> = {}) {
  return post(provider, '/api/sms/send/bulk', {
    api_key: provider.account.key,
    to: numbers.slice(0, 3),
    from: 'PalmMarket',
    sms: 'Open until nine tonight.',
    channel: 'generic',
    type: 'plain',
    ...changes,
  });
}

test('accepts a bulk message to 100 numbers and charges each', async (t) => {
  const provider = await provide(t);
  const response = await sendBulk(provider, { to: numbers.slice(0, 100), type: 'unicode' });
  const body = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual(body, {
    code: 'ok',
    balance: 24_660,
    message_id: body.message_id,
    message: 'Successfully Sent',
    user: 'Palm Market',
    message_id_str: body.message_id,
  });
  assert.match(body.message_id, /^\d{25}$/);
  const [recorded] = provider.record;
  assert.deepEqual([recorded?.operation, recorded?.to.length], ['messages.sendBulk', 100]);
  assert.equal(provider.arrivals[0]?.operation, 'messages.sendBulk');
});

test('refuses a bulk message on an inactive route', async (t) => {
  const provider = await provide(t);
  const changes = { api_key: provider.otherAccount.key, from: 'TideAgency', channel: 'dnd' };
  const response = await sendBulk(provider, changes);
  assert.equal(response.status, 400);
  assert.match((await response.json()).message, /^No Route on your account\. /);
});

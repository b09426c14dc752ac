import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post, provide } from '../client.ts';

function code(api_key: string, changes: Record<string, unknown> = {}) {
  return {
    api_key,
    to: '2348030000011',
    from: 'HarbourBank',
    sms: '493817',
    channel: 'chatapp_otp',
    type: 'plain',
    ...changes,
  };
}

test('sends a one-time code by the chat application', async (t) => {
  const provider = await provide(t);
  const { key, balance } = provider.fullAccount;
  const response = await post(provider, '/api/sms/send', code(key));
  const body = await response.json();
  assert.equal(response.status, 200);
  assert.deepEqual(body, {
    code: 'ok',
    balance: balance - 9.1,
    message_id: body.message_id_str,
    message: 'Successfully Sent',
    user: 'Harbour Bank',
    message_id_str: body.message_id_str,
  });
  assert.match(body.message_id, /^\d{25}$/);
  assert.equal(provider.record[0]?.operation, 'messages.sendChatOtp');
  assert.deepEqual([provider.record[0]?.channel, provider.record[0]?.text], ['chatapp_otp', '493817']);
  assert.equal(provider.arrivals[0]?.operation, 'messages.sendChatOtp');
});

test('refuses a code when the chat application is not activated', async (t) => {
  const provider = await provide(t);
  const response = await post(
    provider,
    '/api/sms/send',
    code(provider.account.key, { from: 'PalmMarket', sms: '493817' }),
  );
  assert.equal(response.status, 400);
  assert.match((await response.json()).message, /^No Route on your account\. /);
});

test('orders a fault for codes of the chat application only', async (t) => {
  const provider = await provide(t);
  const order = provider.orderFault({ operation: 'messages.sendChatOtp', fault: { kind: 'cut_unread' } });
  const { key } = provider.fullAccount;
  const text = { channel: 'dnd', sms: 'Hello' };
  assert.equal((await post(provider, '/api/sms/send', code(key, text))).status, 200);
  assert.equal(order.remaining, 1);
  await assert.rejects(post(provider, '/api/sms/send', code(key)));
  assert.equal(order.remaining, 0);
});

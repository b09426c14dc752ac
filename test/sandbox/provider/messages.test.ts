import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvider } from '../../../src/sandbox/provider/server.ts';

test('a message to two numbers is accepted, charged and recorded', async (t) => {
  const provider = await startProvider({ clock: () => new Date('2026-03-02T11:00:00Z') });
  t.after(() => provider.stop());
  const before = provider.account.balance;
  const response = await fetch(`${provider.url}/api/sms/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      api_key: provider.account.key,
      to: ['2348030000011', '2348020000027'],
      from: 'PalmMarket',
      sms: 'Your order is on its way.',
      channel: 'generic',
      type: 'plain',
    }),
  });
  const body = await response.json();
  assert.equal(response.status, 200);
  assert.match(body.message_id_str, /^\d{25}$/);
  assert.deepEqual(body, {
    code: 'ok',
    balance: before - 6.8,
    message_id: body.message_id_str,
    message: 'Successfully Sent',
    user: 'Palm Market',
    message_id_str: body.message_id_str,
  });
  assert.equal(provider.account.balance, body.balance);
  assert.deepEqual(provider.record[0]?.deliveries, [
    { to: '2348030000011', delivery: 'Delivered' },
    { to: '2348020000027', delivery: 'DND Active on Phone Number' },
  ]);
});

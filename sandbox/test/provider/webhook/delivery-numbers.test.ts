import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { deliveryNumbers } from '../../../provider/webhook/plan-reports.ts';
import { get, provide, send } from '../client.ts';
import { listen } from './listener.ts';

/** The end of a number, how a message to it stands in the history, and its reports. */
const expected: [string, string, string[]][] = [
  ['9701', 'Failed', ['Message Sent', 'Message Failed']],
  ['9702', 'DND Active on Phone Number', ['DND Active on Phone Number']],
  ['9703', 'Expired', ['Message Sent', 'Expired']],
  ['9704', 'Rejected', ['Rejected']],
  ['9705', 'Parked at Operator', ['Message Sent', 'Parked at Operator']],
  ['9711', 'Delivered', []],
  ['9712', 'Delivered', ['Message Sent', 'Message Sent', 'DELIVERED', 'DELIVERED']],
  ['9713', 'Delivered', ['DELIVERED', 'Message Sent']],
  ['9714', 'Delivered', ['Message Sent', 'DELIVERED']],
  ['9715', 'Delivered', ['DELIVERED', 'Message Sent', 'Message Failed', 'DELIVERED']],
];

for (const [end, status, reports] of expected) {
  test(`${end} ends as ${status}, with ${reports.length} reports`, async (t) => {
    const waits: number[] = [];
    const provider = await provide(t, { wait: async (milliseconds) => void waits.push(milliseconds) });
    const { url, heard, statuses } = await listen(t);
    provider.webhook.set({ url, delayMs: 10 });
    assert.equal((await send(provider, { to: `234803000${end}` })).status, 200);
    await provider.webhook.settled();
    assert.deepEqual(statuses(), reports);
    const [entry] = await (await get(provider, '/api/sms/inbox')).json();
    assert.equal(entry.status, status);
    const forged = heard.filter(
      ({ text, headers }) =>
        headers['x-provider-signature'] !==
        createHmac('sha512', provider.account.key).update(text).digest('hex'),
    );
    assert.equal(forged.length, end === '9715' ? 2 : 0);
    assert.deepEqual(new Set(waits), new Set([end === '9714' ? 60_010 : 10]));
    if (end === '9712') {
      assert.deepEqual(heard[0]?.text, heard[1]?.text);
    }
  });
}

test('describes every number', () => {
  assert.deepEqual(
    deliveryNumbers.map(({ number }) => number),
    expected.map(([end]) => `+234803000${end}`),
  );
});

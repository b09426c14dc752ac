import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { provide, send } from '../client.ts';
import { listen } from '../webhook/listener.ts';

const phone = '2348030000011';

test('passes a text to a number of the account on, signed, also while reports are held', async (t) => {
  const provider = await provide(t);
  const { url, heard } = await listen(t);
  provider.webhook.set({ url, held: true });
  const received = await provider.receive({ from: phone, to: '55019', text: 'Yes, please' });
  assert.deepEqual(
    heard.map(({ body }) => body),
    [
      {
        type: 'inbound',
        message_id: received.id,
        receiver: '55019',
        sender: phone,
        message: 'Yes, please',
        received_at: '2026-03-02T11:00:00.000Z',
        status: 'Received',
        channel: 'generic',
      },
    ],
  );
  const expected = createHmac('sha512', provider.account.key)
    .update(heard[0]?.text ?? '')
    .digest('hex');
  assert.equal(heard[0]?.headers['x-provider-signature'], expected);
  assert.deepEqual(provider.inbox, [received]);
});

test('takes a text to a device that has sent something', async (t) => {
  const provider = await provide(t);
  const text = { from: phone, to: 'Front desk phone', text: 'Hello' };
  await assert.rejects(provider.receive(text), /cannot receive texts/);
  await send(provider, { channel: 'chatapp', from: 'Front desk phone' });
  assert.equal((await provider.receive(text)).channel, 'chatapp');
});

test('refuses a text to a name, to a number of another account, and an empty one', async (t) => {
  const provider = await provide(t);
  for (const to of ['PalmMarket', '70707', '']) {
    await assert.rejects(provider.receive({ from: phone, to, text: 'STOP' }), /cannot receive texts/);
  }
  await assert.rejects(provider.receive({ from: phone, to: '55019', text: ' ' }), /empty/);
  await assert.rejects(provider.receive({ from: 'PalmMarket', to: '55019', text: 'x' }), /no phone/);
  await provider.receive({ from: phone, to: '70707', text: 'STOP' }, provider.fullAccount.key);
  assert.equal(provider.inbox.length, 1);
});

test('loses, repeats and forges texts at the rates of the webhook', async (t) => {
  const provider = await provide(t);
  const { url, heard } = await listen(t);
  provider.webhook.set({ url, lossRate: 1 });
  await provider.receive({ from: phone, to: '55019', text: 'Lost' });
  assert.equal(heard.length, 0);
  provider.webhook.set({ url, duplicateRate: 1, forgeryRate: 1 });
  await provider.receive({ from: phone, to: '55019', text: 'Again' });
  assert.deepEqual(
    heard.map(({ body }) => body.message),
    ['STOP', 'Again', 'Again'],
  );
  assert.deepEqual(
    provider.webhook.posts.map(({ genuine, outcome }) => [genuine, outcome]),
    [
      [true, 'lost'],
      [false, 200],
      [true, 200],
      [true, 200],
    ],
  );
});

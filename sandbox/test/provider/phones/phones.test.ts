import assert from 'node:assert/strict';
import { test } from 'node:test';
import { message, post, provideWithClock, send } from '../client.ts';
import { listen } from '../webhook/listener.ts';

test('shows what each phone received and sent, by sender, the newest first', async (t) => {
  const { provider, pass } = await provideWithClock(t);
  await send(provider, { to: ['2348030000011', '2348020000012'] });
  pass(60_000);
  await send(provider, { from: '55019', sms: 'Shall we call you?' });
  pass(60_000);
  await provider.receive({ from: '2348030000011', to: '55019', text: 'Yes' });
  const [first, second] = provider.phones();
  assert.deepEqual(
    [first, second].map((phone) => [phone?.number, phone?.network]),
    [
      ['2348030000011', 'MTN Nigeria'],
      ['2348020000012', 'Airtel Nigeria'],
    ],
  );
  assert.deepEqual(
    first?.conversations.map(({ sender, holder, canReply, texts }) => ({
      sender,
      holder,
      canReply,
      texts: texts.map(({ direction, text }) => `${direction}: ${text}`),
    })),
    [
      {
        sender: '55019',
        holder: 'Palm Market',
        canReply: true,
        texts: ['received: Shall we call you?', 'sent: Yes'],
      },
      {
        sender: 'PalmMarket',
        holder: 'Palm Market',
        canReply: false,
        texts: ['received: Your order is on its way.'],
      },
    ],
  );
});

test('keeps the senders of two accounts apart, and shows no e-mail', async (t) => {
  const { provider } = await provideWithClock(t);
  const { key } = provider.fullAccount;
  await send(provider, { from: '55019' });
  await post(provider, '/api/sms/send', message(provider, { api_key: key, from: '70707' }));
  const email = {
    email_address: 'ada@palm.example',
    code: '0471',
    email_configuration_id: 'harbour-codes-e1b8',
  };
  assert.equal((await post(provider, '/api/email/otp/send', { api_key: key, ...email })).status, 200);
  assert.deepEqual(
    provider.phones().map(({ conversations }) => conversations.map(({ holder, sender }) => [holder, sender])),
    [
      [
        ['Palm Market', '55019'],
        ['Harbour Bank', '70707'],
      ],
    ],
  );
});

test('knows which senders can receive: numbers and devices, not names and calls', async (t) => {
  const { provider } = await provideWithClock(t);
  await send(provider, { channel: 'chatapp', from: 'Front desk phone' });
  await send(provider, { channel: 'voice', type: 'voice', from: '55019' });
  await send(provider);
  assert.deepEqual(
    Object.fromEntries(
      provider.phones()[0]?.conversations.map(({ sender, canReply }) => [sender, canReply]) ?? [],
    ),
    { 'Front desk phone': true, 55019: false, PalmMarket: false },
  );
});

test('says how a text ended, and what was reported of it', async (t) => {
  const { provider } = await provideWithClock(t);
  const { url } = await listen(t, () => 401);
  provider.webhook.set({ url, delayMs: 0 });
  await send(provider, { to: '2348030009701' });
  await provider.webhook.settled();
  const [entry] = provider.phones()[0]?.conversations[0]?.texts ?? [];
  assert.ok(entry?.direction === 'received');
  assert.equal(entry.delivery, 'Failed');
  assert.deepEqual(entry.reports, [
    { status: 'Message Sent', outcome: 401 },
    { status: 'Message Failed', outcome: 401 },
  ]);
});

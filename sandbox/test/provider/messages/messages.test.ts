import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rounds } from '../../../../test/support/sizes.ts';
import { message, noon, post, provide, send } from '../client.ts';

test('accepts, charges and records a message to two numbers', async (t) => {
  const provider = await provide(t);
  const response = await send(provider, { to: ['2348030000011', '2348020000012'], channel: 'generic' });
  const body = await response.json();
  assert.equal(response.status, 200);
  assert.match(body.message_id_str, /^\d{25}$/);
  assert.deepEqual(body, {
    code: 'ok',
    balance: 24_993.2,
    message_id: body.message_id_str,
    message: 'Successfully Sent',
    user: 'Palm Market',
    message_id_str: body.message_id_str,
  });
  assert.equal(provider.account.balance, 24_993.2);
  assert.deepEqual(provider.record, [
    {
      id: body.message_id_str,
      at: noon.toISOString(),
      operation: 'messages.send',
      account: provider.account.key,
      channel: 'generic',
      type: 'plain',
      from: 'PalmMarket',
      to: ['2348030000011', '2348020000012'],
      text: 'Your order is on its way.',
      pages: 1,
      costInKobo: 680,
      deliveries: [
        { to: '2348030000011', delivery: 'Delivered' },
        { to: '2348020000012', delivery: 'Delivered' },
      ],
    },
  ]);
});

test('accepts a message on every route at its price', async (t) => {
  const provider = await provide(t);
  const costs = new Set<number | undefined>();
  for (const [channel, type, from] of [
    ['generic', 'plain', 'PalmMarket'],
    ['dnd', 'unicode', '55019'],
    ['chatapp', 'plain', 'Front desk phone'],
    ['voice', 'voice', 'PalmCare'],
  ]) {
    const response = await send(provider, { channel, type, from });
    assert.equal(response.status, 200, channel);
    assert.equal(provider.record.at(-1)?.channel, channel);
    costs.add(provider.record.at(-1)?.costInKobo);
  }
  assert.equal(costs.size, 4);
});

test('accepts a file instead of a text on the chat application', async (t) => {
  const provider = await provide(t);
  const media = { url: 'https://files.example/menu.PDF?v=2', caption: 'This week' };
  const response = await send(provider, { channel: 'chatapp', sms: undefined, media });
  assert.equal(response.status, 200);
  assert.deepEqual(provider.record[0]?.media, media);
  assert.equal(provider.record[0]?.text, '');
});

const wrong: [string, Record<string, unknown>, RegExp][] = [
  ['an empty list of recipients', { to: [] }, /^to: must hold a number$/],
  ['a recipient with spaces', { to: ['2348030000012', '234 803 000 0011'] }, /^to.1: must be a phone number/],
  ['a recipient without its country', { to: '08030000011' }, /^to.0: must be a phone number/],
  ['an empty device name', { from: ' ', channel: 'chatapp' }, /^from: /],
  ['an empty text', { sms: '' }, /^sms: must not be empty$/],
  ['the type voice on a route of texts', { type: 'voice' }, /^type: voice is only for/],
  [
    'a file without an address',
    { channel: 'chatapp', sms: undefined, media: { caption: 'Look' } },
    /^media\.url: is missing/,
  ],
  [
    'an unknown field of a file',
    { channel: 'chatapp', sms: undefined, media: { url: 'https://files.example/a.png', name: 'a' } },
    /^unknown field: media\.name$/,
  ],
];

for (const [what, changes, expected] of wrong) {
  test(`a message with ${what} is refused in the provider's own shape`, async (t) => {
    const provider = await provide(t);
    const response = await send(provider, changes);
    const body = await response.json();
    assert.match(body.message, expected);
    assert.deepEqual(body, { code: 400, message: body.message, status: 'error', link: 'uri=/sms/send' });
    assert.equal(response.status, 400);
    assert.deepEqual(provider.record, []);
  });
}

test('refuses an unknown, pending, declined or blocked sender ID', async (t) => {
  const provider = await provide(t);
  for (const from of ['Stranger', 'PalmSale', 'FreeCash', 'OldPalm']) {
    const response = await send(provider, { from });
    assert.equal(response.status, 404);
    assert.equal(
      (await response.json()).message,
      `ApplicationSenderId not found for applicationId: 41207 and senderName: ${from}`,
    );
  }
});

test('refuses a route that is not activated', async (t) => {
  const provider = await provide(t);
  const otherKey = provider.otherAccount.key;
  for (const changes of [
    { channel: 'chatapp_otp', sms: '493817' },
    { api_key: otherKey, from: 'TideAgency' },
  ]) {
    const response = await send(provider, changes);
    assert.equal(response.status, 400);
    assert.match((await response.json()).message, /^No Route on your account\. /);
  }
});

test('refuses a message beyond the balance without charging it', async (t) => {
  const provider = await provide(t);
  provider.setBalance(8.49);
  const response = await send(provider, { to: ['2348030000011', '2348030000012'] });
  assert.equal(response.status, 400);
  assert.match((await response.json()).message, /balance/);
  assert.equal(provider.account.balance, 8.49);
  provider.setBalance(8.5);
  const accepted = await send(provider, { to: ['2348030000011', '2348030000012'] });
  assert.equal((await accepted.json()).balance, 0);
});

test('delivers to a number on DND by the dnd route only', async (t) => {
  const provider = await provide(t);
  for (const channel of ['generic', 'dnd']) {
    assert.equal((await send(provider, { channel, to: ['2348020000017', '2348020000018'] })).status, 200);
  }
  assert.deepEqual(
    provider.record.map(({ deliveries }) => deliveries.map(({ delivery }) => delivery)),
    [
      ['DND Active on Phone Number', 'Delivered'],
      ['Delivered', 'Delivered'],
    ],
  );
});

test("a generic message to MTN fails from 20:00 to 08:00 of Lagos' clock", async (t) => {
  let now = noon;
  const provider = await provide(t, { clock: () => now });
  const deliveries: unknown[] = [];
  for (const utc of ['06:59', '07:00', '18:59', '19:00', '23:30']) {
    now = new Date(`2026-03-02T${utc}:00Z`);
    await send(provider, { channel: 'generic', to: ['2348030000011', '2348020000012'] });
    deliveries.push(provider.record.at(-1)?.deliveries.map(({ delivery }) => delivery));
  }
  const night = ['Failed', 'Delivered'];
  const day = ['Delivered', 'Delivered'];
  assert.deepEqual(deliveries, [night, day, day, night, night]);
});

const lengths: [string, number][] = [
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  [`{${'a'.repeat(69)}`, 1],
  [`{${'a'.repeat(70)}`, 2],
  ['ẹ káàárọ̀ '.repeat(8), 2],
  ['Ä'.repeat(160), 1],
  ['see https://a.example '.repeat(4), 2],
  ['👍'.repeat(36), 2],
];

test('counts 160 characters a page, 70 with a special character', async (t) => {
  const provider = await provide(t);
  for (const [sms, pages] of lengths) {
    await send(provider, { sms });
    assert.equal(provider.record.at(-1)?.pages, pages, sms);
    assert.equal(provider.record.at(-1)?.costInKobo, pages * 425);
  }
});

test('accepts or refuses any message, with the common error body', async (t) => {
  const provider = await provide(t);
  const right = message(provider);
  const field = fc.constantFrom('to', 'from', 'sms', 'channel', 'type', 'media', 'other');
  await fc.assert(
    fc.asyncProperty(fc.dictionary(field, fc.jsonValue(), { minKeys: 1 }), async (changes) => {
      const response = await post(provider, '/api/sms/send', { ...right, ...changes });
      const body = await response.json();
      if (response.status === 200) {
        assert.match(body.message_id, /^\d{25}$/);
      } else {
        assert.deepEqual(body, {
          code: response.status,
          message: body.message,
          status: 'error',
          link: 'uri=/sms/send',
        });
      }
      assert.ok([200, 400, 404].includes(response.status));
    }),
    { numRuns: rounds(60) },
  );
});

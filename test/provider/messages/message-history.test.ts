import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer } from '../../support/http/raw-server.ts';
import { ends, serve, testClient, testKey } from '../../support/provider/provider-client.ts';

const dialect = { chatChannel: 'chatapp', historyPath: '/api/sms/inbox' };
const messageId = '2093318807741256690314406';

const delivered = {
  sender: 'PalmMarket',
  receiver: '2348030001177',
  message: 'Your order is ready',
  amount: 1.0,
  reroute: 0,
  status: 'Delivered',
  sms_type: 'generic',
  send_by: 'api',
  message_id: messageId,
  created_at: '2026-04-18 16:40:12',
};
const other = { ...delivered, message_id: '2093318807741256690317725', status: 'Failed' };

async function ask(t: TestContext, body: string, status = 200) {
  const server = await serve(t, answer(status, body));
  const outcome = testClient(t, server.url, { dialect }).account.messages.history(messageId);
  return { server, outcome };
}

async function recordsOf(t: TestContext, body: unknown) {
  const { outcome } = await ask(t, JSON.stringify(body));
  const ended = await outcome;
  return ended.kind === 'accepted' ? ended.value.records : ended.error.reason;
}

test('asks for one message, and reads every field of it', async (t) => {
  const { server, outcome } = await ask(
    t,
    JSON.stringify([delivered]).replace('"amount":1', '"amount":1.50'),
  );
  assert.deepEqual(await outcome, {
    kind: 'accepted',
    value: {
      records: [
        {
          messageId,
          status: 'Delivered',
          receiver: '2348030001177',
          sender: 'PalmMarket',
          text: 'Your order is ready',
          amount: '1.50',
          createdAt: new Date('2026-04-18T15:40:12Z'),
          writtenAt: '2026-04-18 16:40:12',
        },
      ],
      unreadable: 0,
    },
  });
  assert.equal(server.requests[0]?.path, `/api/sms/inbox?message_id=${messageId}&api_key=${testKey}`);
});

test('an amount is a cost where a setting says so, as it is written', async (t) => {
  for (const [amount, cost] of [
    [4.25, '4.25'],
    ['2 pages', '2 pages'],
    [null, undefined],
  ] as const) {
    const server = await serve(t, answer(200, [{ ...delivered, amount }]));
    const ofCosts = { ...dialect, historyAmount: 'cost' as const };
    const outcome = await testClient(t, server.url, { dialect: ofCosts }).account.messages.history(messageId);
    assert.equal(outcome.kind === 'accepted' && outcome.value.records[0]?.cost, cost, String(amount));
  }
});

test('is off without a path, and asks nothing', async (t) => {
  const server = await serve(t, answer(200, []));
  const call = testClient(t, server.url).account.messages.history(messageId);
  await ends(call, { kind: 'not_sent', reason: 'not_configured' });
  assert.equal(server.requests.length, 0);
});

test('reads an array and the paging envelope, and only what is of the message that was asked for', async (t) => {
  for (const body of [[delivered, other], { content: [other, delivered], totalPages: 1 }]) {
    const records = await recordsOf(t, body);
    assert.ok(typeof records !== 'string');
    assert.deepEqual(
      records.map(({ status }) => status),
      ['Delivered'],
    );
  }
  assert.deepEqual(await recordsOf(t, [other]), []);
  assert.deepEqual(await recordsOf(t, []), []);
});

test('an id of 25 digits is compared digit by digit, whether it is text or a number', async (t) => {
  const { outcome } = await ask(t, JSON.stringify([delivered]).replace(`"${messageId}"`, messageId));
  const ended = await outcome;
  assert.ok(ended.kind === 'accepted' && ended.value.records[0]?.messageId === messageId);
  const near = `${messageId.slice(0, -1)}8`;
  assert.deepEqual(await recordsOf(t, [{ ...delivered, message_id: near }]), []);
});

test('nothing that is no history becomes one', async (t) => {
  for (const body of [
    {},
    { content: 'none' },
    [{ ...delivered, status: null }],
    [{ ...delivered, message_id: undefined }],
    ['Delivered'],
    Array.from({ length: 1_001 }, () => delivered),
  ]) {
    assert.equal(await recordsOf(t, body), 'unreadable_answer', JSON.stringify(body).slice(0, 80));
  }
  const { outcome } = await ask(t, '{"message": "No such path"}', 404);
  await ends(outcome, { kind: 'rejected', reason: 'not_found', status: 404 });
});

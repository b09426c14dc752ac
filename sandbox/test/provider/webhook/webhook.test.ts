import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { provide, send } from '../client.ts';
import { listen } from './listener.ts';

test('sends nothing until a webhook is entered, and nothing after it was removed', async (t) => {
  const provider = await provide(t);
  const { url, heard } = await listen(t);
  await send(provider);
  provider.webhook.set({ url, delayMs: 0 }, provider.otherAccount.key);
  await send(provider);
  provider.webhook.set({ url, delayMs: 0 });
  provider.webhook.remove();
  await send(provider);
  await provider.webhook.settled();
  assert.deepEqual([heard, provider.webhook.posts], [[], []]);
  await assert.rejects(provider.webhook.send({ type: 'outbound' }), /has no webhook/);
});

test('reports each recipient as sent and then as delivered, signed with the API key', async (t) => {
  const provider = await provide(t);
  const { url, heard } = await listen(t);
  provider.webhook.set({ url, delayMs: 0 });
  await send(provider, { to: ['2348030000011', '2348020000012'] });
  await provider.webhook.settled();
  const [message] = provider.record;
  const report = (receiver: string, status: string) => ({
    type: 'outbound',
    message_id: message?.id,
    receiver,
    sender: 'PalmMarket',
    message: 'Your order is on its way.',
    sent_at: '2026-03-02 12:00:00',
    cost: '4.25',
    status,
    channel: 'dnd',
  });
  for (const receiver of ['2348030000011', '2348020000012']) {
    assert.deepEqual(
      heard.filter(({ body }) => body.receiver === receiver).map(({ body }) => body),
      [report(receiver, 'Message Sent'), report(receiver, 'DELIVERED')],
    );
  }
  assert.equal(heard.length, 4);
  for (const { headers, text, path } of heard) {
    const expected = createHmac('sha512', provider.account.key).update(text).digest('hex');
    assert.equal(headers['x-provider-signature'], expected);
    assert.equal(path, '/provider/reports/secret-token-1234');
  }
  assert.ok(provider.webhook.posts.every(({ genuine, outcome }) => genuine && outcome === 200));
});

test('signs with another header, hash, encoding and key, and wraps the body', async (t) => {
  const provider = await provide(t);
  const { url, heard } = await listen(t);
  provider.webhook.set({
    url,
    delayMs: 0,
    header: 'X-Palm-Mark',
    hash: 'sha256',
    encoding: 'base64',
    secret: 'palm-signing-8841',
    wrapped: true,
  });
  await send(provider);
  await provider.webhook.settled();
  assert.equal(heard.length, 2);
  for (const { headers, text, body } of heard) {
    const expected = createHmac('sha256', 'palm-signing-8841').update(text).digest('base64');
    assert.equal(headers['x-palm-mark'], expected);
    assert.deepEqual(Object.keys(body), ['data']);
  }
});

test('sends any body on order, with a right or a wrong signature', async (t) => {
  const provider = await provide(t);
  const { url, heard } = await listen(t, () => 401);
  provider.webhook.set({ url });
  const body = { type: 'device_status', status: 'disconnected', device_id: 'd-17' };
  const right = await provider.webhook.send(body);
  const wrong = await provider.webhook.send(body, { genuine: false });
  assert.deepEqual(
    heard.map((post) => post.body),
    [body, body],
  );
  assert.deepEqual([right.outcome, right.genuine, wrong.outcome, wrong.genuine], [401, true, 401, false]);
  const signatures = heard.map(({ headers }) => headers['x-provider-signature']);
  assert.notEqual(signatures[0], signatures[1]);
});

test('posts each report once, whatever the answer is', async (t) => {
  const provider = await provide(t);
  const { url, heard } = await listen(t, () => 500);
  provider.webhook.set({ url, delayMs: 0 });
  await send(provider);
  await provider.webhook.settled();
  assert.equal(heard.length, 2);
  provider.webhook.set({ url: 'http://127.0.0.1:1/', delayMs: 0 });
  await send(provider);
  await provider.webhook.settled();
  const outcomes = provider.webhook.posts.map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, [500, 500, 'no answer', 'no answer']);
});

test('holds reports until they are ordered, by message and by status', async (t) => {
  const provider = await provide(t);
  const { url, statuses, heard } = await listen(t);
  provider.webhook.set({ url, held: true });
  await send(provider);
  await send(provider);
  const [first, second] = provider.record;
  await provider.webhook.settled();
  assert.deepEqual(statuses(), []);
  await provider.webhook.deliver(second?.id, 'DELIVERED');
  await provider.webhook.deliver(first?.id);
  await provider.webhook.deliver();
  assert.deepEqual(statuses(), ['DELIVERED', 'Message Sent', 'DELIVERED', 'Message Sent']);
  assert.deepEqual(
    heard.map(({ body }) => body.message_id),
    [second?.id, first?.id, first?.id, second?.id],
  );
});

test('waits before each report, by the wait that a test passes in', async (t) => {
  const waits: number[] = [];
  const gate = Promise.withResolvers<void>();
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds);
    await gate.promise;
  };
  const provider = await provide(t, { wait });
  const { url, statuses } = await listen(t);
  provider.webhook.set({ url, delayMs: 90_000 });
  await send(provider);
  assert.deepEqual([statuses(), waits], [[], [90_000]]);
  gate.resolve();
  await provider.webhook.settled();
  assert.deepEqual(
    [statuses(), waits],
    [
      ['Message Sent', 'DELIVERED'],
      [90_000, 90_000],
    ],
  );
});

test('reports a message whose answer never came', async (t) => {
  const provider = await provide(t);
  const { url, statuses } = await listen(t);
  provider.webhook.set({ url, delayMs: 0 });
  await assert.rejects(send(provider, { to: '2348030009003' }));
  await provider.webhook.settled();
  assert.deepEqual(statuses(), ['Message Sent', 'DELIVERED']);
});

test('drops what is under way and held when it is reset or stopped', { timeout: 60_000 }, async (t) => {
  const provider = await provide(t);
  const { url, heard } = await listen(t);
  for (const held of [true, false]) {
    provider.webhook.set({ url, delayMs: 3_600_000, held });
    await send(provider);
    provider.reset();
    assert.equal(provider.account.webhook, undefined);
    provider.webhook.set({ url, delayMs: 3_600_000 });
    await provider.webhook.deliver();
  }
  await send(provider);
  await provider.stop();
  assert.deepEqual(heard, []);
});

test('refuses an address that is not on this machine, and rates beyond 0 and 1', async (t) => {
  const provider = await provide(t);
  for (const url of ['https://reports.example/x', 'http://127.0.0.1.example/x', 'file:///x', 'x']) {
    assert.throws(() => provider.webhook.set({ url }), /address/);
  }
  const url = 'http://localhost:4302/x';
  assert.throws(() => provider.webhook.set({ url, lossRate: 1.5 }), /must be 0 to 1/);
  assert.throws(() => provider.webhook.set({ url, header: 'X: y' }), /header/);
  assert.equal(provider.account.webhook, undefined);
});

test('logs each post with the address masked', async (t) => {
  const exchanges: LoggedRequest[] = [];
  const provider = await provide(t, { onExchange: (exchange) => void exchanges.push(exchange) });
  const { url } = await listen(t);
  provider.webhook.set({ url, delayMs: 0 });
  await send(provider);
  await provider.webhook.settled();
  const posts = exchanges.filter(({ from }) => from === 'provider');
  assert.deepEqual(
    posts.map(({ to, what, status }) => [to, what, status]),
    [
      ['app', 'POST /provider/reports/•••1234', 200],
      ['app', 'POST /provider/reports/•••1234', 200],
    ],
  );
});

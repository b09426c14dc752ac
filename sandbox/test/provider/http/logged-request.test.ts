import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { type TestContext, test } from 'node:test';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { get, message, provide, send } from '../client.ts';

/** Starts a provider and captures the log entry of each request. */
async function observe(t: TestContext) {
  const reports = new EventEmitter();
  const provider = await provide(t, { onExchange: (exchange) => reports.emit('exchange', exchange) });
  const during = async (request: () => Promise<unknown>): Promise<LoggedRequest> => {
    const [[exchange]] = await Promise.all([once(reports, 'exchange'), request().catch(() => {})]);
    return exchange;
  };
  return { provider, during };
}

test('logs a message with its answer and without the key', async (t) => {
  const { provider, during } = await observe(t);
  const exchange = await during(() => send(provider));
  const { id, at, milliseconds, answer, ...rest } = exchange;
  assert.deepEqual(rest, {
    from: 'app',
    to: 'provider',
    what: 'POST /api/sms/send',
    request: message(provider, { api_key: `•••${provider.account.key.slice(-4)}` }),
    status: 200,
  });
  assert.ok(answer && typeof answer === 'object' && 'message_id' in answer);
  assert.equal(id, provider.arrivals[0]?.id);
  assert.equal(at, provider.arrivals[0]?.at);
  assert.ok(Number.isInteger(milliseconds));
});

test('masks a key in a query, a wrong key and a key in broken JSON', async (t) => {
  const { provider, during } = await observe(t);
  const body = JSON.stringify(message(provider)).slice(0, -1);
  const exchanges = [
    await during(() => get(provider, '/api/sender-id')),
    await during(() => get(provider, '/api/sender-id', { api_key: 'secret' })),
    await during(() =>
      fetch(`${provider.url}/api/sms/send?api_key=${provider.account.key}`, { method: 'POST', body }),
    ),
  ];
  assert.doesNotMatch(JSON.stringify(exchanges), /sandbox-key|secret/);
  assert.deepEqual(exchanges[1]?.request, { api_key: '•••' });
});

test('logs the fate of an answer that nobody received', async (t) => {
  const { provider, during } = await observe(t);
  const cut = await during(() => send(provider, { to: '2348030009003' }));
  assert.deepEqual([cut.status, cut.answer], ['connection cut', null]);
  const half = await during(() =>
    send(provider, { to: '2348030009605' }).then((response) => response.text()),
  );
  assert.equal(half.status, '200, cut in the middle');
  const html = await during(() => send(provider, { to: '2348030009502' }));
  assert.deepEqual([html.status, typeof html.answer], [502, 'string']);
  const path = `/api/check/dnd?api_key=${provider.account.key}&phone_number=2348030009`;
  const impatient = () => ({ signal: AbortSignal.timeout(1_000) });
  const held = await during(() => fetch(`${provider.url}${path}001`, impatient()));
  assert.deepEqual([held.status, held.answer], ['no answer', null]);
});

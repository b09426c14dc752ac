import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answer,
  type Behaviour,
  hangUp,
  inTurn,
  partOfAnswer,
  reset,
  silence,
} from '../../support/http/raw-server.ts';
import { ends, list, read, send, serve, taken, testClient } from '../../support/provider/provider-client.ts';

test('retries a send while no connection can be opened, and it arrives once', async (t) => {
  let lookups = 0;
  const server = await serve(t, answer(200, taken));
  const { account, pauses } = testClient(t, new URL(`http://provider.invalid:${server.port}`), {
    connect: {
      lookup: (_host, options, callback) => {
        lookups += 1;
        if (lookups < 3) {
          callback(Object.assign(new Error('try again'), { code: 'EAI_AGAIN' }), '', 4);
        } else {
          callback(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
        }
      },
    },
  });
  assert.equal((await send(account)).kind, 'accepted');
  assert.equal(server.requests.length, 1);
  assert.equal(pauses.length, 2);
});

test('repeats a read after a transient fault', async (t) => {
  const faults: Readonly<Record<string, Behaviour>> = {
    'after a cut': hangUp,
    'after a reset': reset,
    'after silence': silence,
    'after a body that broke off': partOfAnswer(200, '{"cont', hangUp),
    'after 500': answer(500, ''),
    'after 502 with a web page': answer(502, '<html><title>502 Bad Gateway</title></html>', {
      'content-type': 'text/html',
    }),
    'after 429': answer(429, { message: 'slow down' }),
  };
  for (const [name, fault] of Object.entries(faults)) {
    await t.test(name, async (t) => {
      const server = await serve(t, inTurn(fault, answer(200, list)));
      const { account, pauses } = testClient(t, server.url, { headersTimeout: 100 });
      assert.equal((await read(account)).kind, 'accepted');
      assert.equal(server.requests.length, 2);
      assert.equal(pauses.length, 1);
    });
  }
});

test('reports a read that failed three times, and that nothing was sent', async (t) => {
  const server = await serve(t, hangUp);
  const { account, pauses } = testClient(t, server.url);
  const error = await ends(read(account), { kind: 'unconfirmed', reason: 'cut_off' });
  assert.equal(server.requests.length, 3);
  assert.deepEqual(pauses, [187.5, 375]);
  assert.equal(error.sent, 'no');
  assert.equal(error.retryable, true);
});

test('waits for Retry-After, or returns it where it outlasts the deadline', async (t) => {
  const soon = await serve(t, inTurn(answer(503, '', { 'retry-after': '2' }), answer(200, list)));
  const patient = testClient(t, soon.url);
  assert.equal((await read(patient.account)).kind, 'accepted');
  assert.deepEqual(patient.pauses, [2000]);

  const late = await serve(t, answer(429, '', { 'retry-after': '3600' }));
  const hurried = testClient(t, late.url);
  const error = await ends(read(hurried.account), { kind: 'rejected', reason: 'rate_limited', status: 429 });
  assert.equal(error.retryAfter, 3_600_000);
  assert.match(error.message, /Try again in 60 minutes\./);
  assert.equal(late.requests.length, 1);
});

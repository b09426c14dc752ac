import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import type { ProviderOptions } from '../../../src/provider/client.ts';
import { answer, partOfAnswer, silence } from '../../support/http/raw-server.ts';
import { ends, list, read, send, serve, taken, testClient } from '../../support/provider/provider-client.ts';

/** A DNS lookup that the test releases. */
function heldLookup() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const connect: NonNullable<ProviderOptions['connect']> = {
    lookup: (_host, options, callback) => {
      ask();
      void released.then(() =>
        callback(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4),
      );
    },
  };
  return { connect, asked, release };
}

test('cancellation in each phase', async (t) => {
  await t.test('before the request: nothing leaves', async (t) => {
    const server = await serve(t, answer(200, taken));
    const { account } = testClient(t, server.url);
    await ends(send(account, AbortSignal.abort()), { kind: 'not_sent', reason: 'cancelled' });
    assert.equal(server.connections(), 0);
  });

  await t.test('while connecting: nothing leaves, not even once the connection is open', async (t) => {
    const server = await serve(t, answer(200, taken));
    const { connect, asked, release } = heldLookup();
    const { account } = testClient(t, new URL(`http://provider.invalid:${server.port}`), {
      connect,
      connections: 1,
    });
    const cancel = new AbortController();
    const cancelled = send(account, cancel.signal);
    await asked;
    cancel.abort();
    await ends(cancelled, { kind: 'not_sent', reason: 'cancelled' });
    release();
    assert.equal((await send(account)).kind, 'accepted');
    assert.equal(server.requests.length, 1);
  });

  await t.test('while waiting for a permit: nothing leaves', async (t) => {
    const server = await serve(t, silence);
    const { account } = testClient(t, server.url, { concurrencyPerAccount: 1 });
    const first = new AbortController();
    const occupying = send(account, first.signal);
    await server.received(1);
    const second = new AbortController();
    const waiting = send(account, second.signal);
    second.abort();
    await ends(waiting, { kind: 'not_sent', reason: 'cancelled' });
    first.abort();
    await ends(occupying, { kind: 'unconfirmed', reason: 'cancelled' });
    assert.equal(server.requests.length, 1);
  });

  await t.test('after the request was read: unconfirmed', async (t) => {
    const server = await serve(t, silence);
    const { account } = testClient(t, server.url);
    const cancel = new AbortController();
    const outcome = send(account, cancel.signal);
    await server.received(1);
    cancel.abort();
    await ends(outcome, { kind: 'unconfirmed', reason: 'cancelled' });
    await server.idle();
  });

  await t.test('during the response: unconfirmed, with the status', async (t) => {
    const began = Promise.withResolvers<void>();
    const server = await serve(
      t,
      partOfAnswer(200, '{"code"', () => began.resolve()),
    );
    const { account } = testClient(t, server.url);
    const cancel = new AbortController();
    const outcome = send(account, cancel.signal);
    await began.promise;
    cancel.abort();
    const result = await outcome;
    assert.equal(result.kind, 'unconfirmed');
    await server.idle();
  });

  await t.test('during the delay before a retry: the read ends immediately', async (t) => {
    const server = await serve(t, answer(503, ''));
    const cancel = new AbortController();
    const { account } = testClient(t, server.url, {
      timing: {
        now: Date.now,
        elapsed: () => performance.now(),
        random: () => 0.5,
        after: (milliseconds) => {
          if (milliseconds < 1000) {
            queueMicrotask(() => cancel.abort());
          }
          return () => {};
        },
      },
    });
    await ends(read(account, cancel.signal), { kind: 'unconfirmed', reason: 'server_error', status: 503 });
    assert.equal(server.requests.length, 1);
  });
});

test('the deadline ends a request in each phase', async (t) => {
  await t.test('while connecting', async (t) => {
    const server = await serve(t, { onConnection: () => {} });
    const { account } = testClient(t, new URL(`https://127.0.0.1:${server.port}`), { totalTimeout: 60 });
    await ends(send(account), { kind: 'not_sent', reason: 'timed_out' });
  });

  await t.test('after the request was read', async (t) => {
    const server = await serve(t, silence);
    const { account } = testClient(t, server.url, { totalTimeout: 500 });
    await ends(send(account), { kind: 'unconfirmed', reason: 'timed_out' });
    assert.equal(server.requests.length, 1);
  });

  await t.test('during a slow body', async (t) => {
    const server = await serve(t, (socket, received) => {
      partOfAnswer(200, '{')(socket, received);
      const drip = setInterval(() => socket.write(' '), 5);
      socket.once('close', () => clearInterval(drip));
    });
    const { account } = testClient(t, server.url, { totalTimeout: 500 });
    await ends(send(account), { kind: 'unconfirmed', reason: 'timed_out', status: 200 });
  });
});

test('a signal aborted after the request has no effect', async (t) => {
  const server = await serve(t, answer(200, taken));
  const { account } = testClient(t, server.url, { connections: 1 });
  const cancel = new AbortController();
  assert.equal((await send(account, cancel.signal)).kind, 'accepted');
  cancel.abort();
  assert.equal((await send(account)).kind, 'accepted');
  assert.equal(server.connections(), 1);
});

test('removes its listeners from a signal that outlives the requests', async (t) => {
  const server = await serve(t, answer(200, { ...taken, ...list }));
  const { account } = testClient(t, server.url, { concurrencyPerAccount: 1 });
  const { signal } = new AbortController();
  const usage = () => account.esims.usage({ iccid: '8923400000000000017' }, { signal });
  await Promise.all([send(account, signal), read(account, signal), send(account, signal), usage()]);
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('close waits for requests under way and refuses new ones', async (t) => {
  const socket = Promise.withResolvers<() => void>();
  const server = await serve(t, (connection, received) =>
    socket.resolve(() => answer(200, taken)(connection, received)),
  );
  const { provider, account } = testClient(t, server.url, { concurrencyPerAccount: 2 });
  const underWay = send(account);
  const reply = await socket.promise;
  const closed = provider.close();
  await ends(send(account), { kind: 'not_sent', reason: 'stopping' });
  reply();
  assert.equal((await underWay).kind, 'accepted');
  await closed;
  await server.idle();
});

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { ProviderOptions } from '../../../src/provider/client.ts';
import type { Reason } from '../../../src/provider/errors.ts';
import {
  answer,
  type Behaviour,
  bytes,
  hangUp,
  inTurn,
  partOfAnswer,
  type RawServer,
  reset,
  silence,
} from '../../support/http/raw-server.ts';
import {
  type Expected,
  ends,
  read,
  send,
  serve,
  taken,
  testClient,
} from '../../support/provider/provider-client.ts';

/** A connection that cannot be opened, and its error. */
interface Broken {
  readonly url: URL;
  readonly cause: RegExp;
  readonly reason: Reason;
  readonly attempts: number;
  readonly options?: Partial<ProviderOptions>;
  readonly server?: RawServer;
}

test('ends as not_sent before a connection is open', async (t) => {
  const cases: Readonly<Record<string, (t: TestContext) => Promise<Broken>>> = {
    'the TLS handshake is never answered': async (t) => {
      const server = await serve(t, { onConnection: () => {} });
      return {
        url: new URL(`https://127.0.0.1:${server.port}`),
        cause: /^UND_ERR_CONNECT_TIMEOUT$/,
        reason: 'unreachable',
        attempts: 3,
        options: { connectTimeout: 50 },
        server,
      };
    },
    'the connection is reset during the TLS handshake': async (t) => {
      const server = await serve(t, { onConnection: (socket) => socket.resetAndDestroy() });
      return {
        url: new URL(`https://127.0.0.1:${server.port}`),
        cause: /^ECONNRESET$/,
        reason: 'unreachable',
        attempts: 3,
        server,
      };
    },
    'the server does not speak TLS': async (t) => {
      const server = await serve(t, {
        onConnection: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      });
      return {
        url: new URL(`https://127.0.0.1:${server.port}`),
        cause: /SSL|EPROTO/,
        reason: 'untrusted',
        attempts: 1,
        server,
      };
    },
  };
  const subtests = Object.entries(cases).map(([name, prepare]) =>
    t.test(name, async (t) => {
      const { url, cause, reason, attempts, options, server } = await prepare(t);
      const calls = [send, read].map(async (call) => {
        const { account, pauses } = testClient(t, url, options);
        const error = await ends(call(account), { kind: 'not_sent', reason });
        assert.match(error.cause ?? '', cause);
        assert.equal(pauses.length + 1, attempts);
        assert.equal(error.sent, 'no');
      });
      await Promise.all(calls);
      assert.deepEqual(server?.requests ?? [], []);
    }),
  );
  await Promise.all(subtests);
});

test('a send that has left is never repeated, and is unconfirmed without a clear response', async (t) => {
  const lost = { kind: 'unconfirmed', reason: 'cut_off' } as const;
  const late = { kind: 'unconfirmed', reason: 'timed_out' } as const;
  const nonsense = { kind: 'unconfirmed', reason: 'unreadable_answer' } as const;
  const begun = '{"code":"ok","mess';
  const huge = `{"code":"ok","message_id":"1","pad":"${'x'.repeat(2 * 1024 * 1024)}"}`;
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\n{"cod';
  const cases: readonly (readonly [string, Behaviour, Expected])[] = [
    ['the connection is closed after the request', hangUp, lost],
    ['the connection is reset after the request', reset, lost],
    ['no answer begins in time', silence, late],
    ['what comes is not HTTP', bytes('SSH-2.0-OpenSSH_9.6\r\n'), nonsense],
    ['the head never ends', bytes(`HTTP/1.1 200 OK\r\n${'x-pad: y\r\n'.repeat(4000)}`), nonsense],
    ['the head breaks off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'), lost],
    ['the body breaks off', partOfAnswer(200, begun, hangUp), { ...lost, status: 200 }],
    ['a chunked body breaks off', (socket) => socket.end(chunked), { ...lost, status: 200 }],
    ['the body stops', partOfAnswer(200, begun), { ...late, status: 200 }],
    ['the body is larger than any answer', answer(200, huge), { ...nonsense, status: 200 }],
    [
      'the body of a refusal breaks off',
      partOfAnswer(400, '{"code":400,"mess', hangUp),
      { kind: 'rejected', reason: 'invalid_request', status: 400 },
    ],
    [
      'the body of a server’s fault breaks off',
      partOfAnswer(502, '<html>', hangUp),
      { kind: 'unconfirmed', reason: 'server_error', status: 502 },
    ],
  ];
  const subtests = cases.map(([name, onRequest, expected]) =>
    t.test(name, async (t) => {
      const server = await serve(t, onRequest);
      const { account, pauses } = testClient(t, server.url, { headersTimeout: 100, bodyTimeout: 100 });
      await ends(send(account), expected);
      await server.idle();
      assert.equal(server.requests.length, 1);
      assert.equal(server.connections(), 1);
      assert.deepEqual(pauses, []);
    }),
  );
  await Promise.all(subtests);
});

test('a connection cut before the request is parsed is unconfirmed too', async (t) => {
  const server = await serve(t, {
    onConnection: (socket) => socket.once('readable', () => socket.resetAndDestroy()),
  });
  const { account } = testClient(t, server.url);
  await ends(send(account), { kind: 'unconfirmed', reason: 'cut_off' });
  assert.equal(server.connections(), 1);
});

test('a kept connection that the server resets on the next request is unconfirmed', async (t) => {
  const server = await serve(t, inTurn(answer(200, taken), reset));
  const { account } = testClient(t, server.url, { connections: 1 });
  assert.equal((await send(account)).kind, 'accepted');
  await ends(send(account), { kind: 'unconfirmed', reason: 'cut_off' });
  assert.deepEqual(
    server.requests.map(({ connection }) => connection),
    [1, 1],
  );
});

test('replaces a kept connection that the server has closed', async (t) => {
  const sockets: Socket[] = [];
  const server = await serve(t, (socket, received) => {
    sockets.push(socket);
    answer(200, taken)(socket, received);
  });
  const { account } = testClient(t, server.url);
  assert.equal((await send(account)).kind, 'accepted');
  sockets[0]?.end();
  await server.idle();
  assert.equal((await send(account)).kind, 'accepted');
  assert.deepEqual(
    server.requests.map(({ connection }) => connection),
    [1, 2],
  );
});

test('a server that closes connections never causes a second send', async (t) => {
  const server = await serve(
    t,
    inTurn(answer(200, taken, { connection: 'close' }), hangUp, answer(200, taken)),
  );
  const { account } = testClient(t, server.url, { connections: 1, concurrencyPerAccount: 10 });
  const outcomes = await Promise.all([send(account), send(account), send(account)]);
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['accepted', 'unconfirmed', 'accepted'],
  );
  assert.equal(server.requests.length, 3);
});

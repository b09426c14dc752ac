import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createLog } from '../../src/lib/log.ts';
import { systemTimers, type Timers } from '../../src/lib/time/timers.ts';
import { createHttpServer, type HttpLimits, httpLimits } from '../../src/web/server.ts';
import { answerOn, oddRequestLines, openRaw, statusOf } from '../support/http/raw-client.ts';
import { steppedTimers } from '../support/stepped-timers.ts';

/** A server with one path that echoes its body, and one that is answered when the test releases it. */
async function begin(
  test: TestContext,
  limits: Partial<HttpLimits> = {},
  timers: Timers = systemTimers,
  elapsed?: () => number,
) {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const server = createHttpServer({
    routes: [
      {
        method: 'POST',
        path: '/echo',
        handle: async (_, response, body) => void response.end(body),
      },
      {
        method: 'GET',
        path: '/held',
        async handle(_, response) {
          arrived.resolve();
          await held.promise;
          response.end('at last');
        },
      },
      {
        method: 'POST',
        path: '/within-2-seconds',
        maxAcceptWaitMs: 2_000,
        handle: async (_, response) => void response.end('in time'),
      },
      { method: 'GET', path: '/fault', handle: () => Promise.reject(new Error('a fault')) },
    ],
    log: createLog('silent'),
    timers,
    limits: { ...httpLimits, ...limits },
    elapsed,
  });
  const port = await server.listen('127.0.0.1', 0);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close();
    return closing;
  };
  test.after(() => {
    held.resolve();
    return close();
  });
  const send = (text: string) => openRaw(port, text);
  const echo = async (body: string) =>
    (await fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', body })).text();
  return { port, close, send, echo, release: held.resolve, arrived: arrived.promise };
}

const closed = (socket: Socket) => (socket.closed ? undefined : once(socket, 'close'));
const post = (headers: string, body = '') => `POST /echo HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${body}`;

describe('an unauthenticated request', () => {
  for (const line of oddRequestLines) {
    it(`is refused and harms nothing: ${JSON.stringify(line.slice(0, 30))}`, async (test) => {
      const { send, echo } = await begin(test);
      const socket = await send(`${line}\r\nhost: x\r\nconnection: close\r\n\r\n`);
      const status = statusOf(await answerOn(socket));
      assert.ok(
        line.startsWith('CONNECT') ? status === undefined : [400, 404, 431].includes(status ?? 0),
        `${status}`,
      );
      assert.equal(await echo('still here'), 'still here');
    });
  }

  it('is answered with 500 if its handler throws', async (test) => {
    const { port, echo } = await begin(test);
    assert.equal((await fetch(`http://127.0.0.1:${port}/fault`)).status, 500);
    assert.equal(await echo('still here'), 'still here');
  });

  it('is refused before its body is read if its announced length is too long', async (test) => {
    const { send } = await begin(test, { maxBodyBytes: 100 });
    const socket = await send(post('content-length: 101'));
    assert.equal(statusOf(await answerOn(socket)), 413);
  });

  it('is refused as soon as its body is too long, without an announced length', async (test) => {
    const { send } = await begin(test, { maxBodyBytes: 100 });
    const socket = await send(post('transfer-encoding: chunked', `65\r\n${'x'.repeat(101)}\r\n`));
    assert.equal(statusOf(await answerOn(socket)), 413);
  });

  it('is accepted with a body of exactly the maximum length', async (test) => {
    const { echo } = await begin(test, { maxBodyBytes: 100 });
    assert.equal(await echo('x'.repeat(100)), 'x'.repeat(100));
  });

  it('has a limited time for its head, and for its body', async (test) => {
    const { send } = await begin(test, { requestMs: 50 });
    for (const text of ['', 'GET / HT', post('content-length: 5', 'x')]) {
      const socket = await send(text);
      socket.resume();
      await closed(socket);
    }
  });

  it('makes room for the next one when too many connections are open', async (test) => {
    const { send, echo, release, arrived } = await begin(test, { maxConnections: 3 });
    const underWay = await send('GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await arrived;
    const strangers = [await send('GET / HT'), await send('GET / HT')];
    assert.equal(await echo('let me in'), 'let me in');
    await closed(strangers[0] ?? assert.fail());
    release();
    assert.match(await answerOn(underWay), /at last$/);
  });

  it('makes room for others when incomplete bodies are too large together: the largest goes', async (test) => {
    const { send, echo } = await begin(test, { maxPendingBytes: 1_000 });
    const small = await send(post('content-length: 500', 'x'.repeat(10)));
    const large = await send(post('content-length: 900', 'x'.repeat(800)));
    const other = await send(post('content-length: 900', 'x'.repeat(500)));
    await closed(large);
    assert.equal(await echo('x'.repeat(100)), 'x'.repeat(100));
    small.end('x'.repeat(490));
    other.destroy();
    assert.match(await answerOn(small), /^HTTP\/1\.1 200/);
  });
});

describe('a connection that waits to be accepted', () => {
  it('is closed once its client has given up, unless its request has no such limit', async (test) => {
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    test.after(() => clearImmediate(next));
    const { send } = await begin(test, {}, systemTimers, () => turns * 300);
    const statusesOf = async (path: string, count: number) => {
      const request = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
      const sent = await Promise.all(Array.from({ length: count }, () => send(request)));
      return (await Promise.all(sent.map(answerOn))).map(statusOf);
    };
    // A wait is believed once a probe of the server has come back.
    await statusesOf('/echo', 2);
    const [limited, unlimited] = await Promise.all([
      statusesOf('/within-2-seconds', 30),
      statusesOf('/echo', 30),
    ]);
    assert.equal(limited[0], 200);
    assert.ok(limited.includes(undefined), limited.join());
    assert.deepEqual(new Set(unlimited), new Set([200]));
    for (let sent = 0; sent < 5; sent += 1) {
      assert.deepEqual(await statusesOf('/within-2-seconds', 1), [200], 'alone, it does not wait');
    }
  });
});

describe('a server that was full', () => {
  it('serves the next connections as before', async (test) => {
    let time = 0;
    const { send, echo, release } = await begin(test, { maxConnections: 3 }, systemTimers, () => time);
    assert.equal(await echo('a probe comes back'), 'a probe comes back');
    // Until the server has read what came.
    const turns = async () => {
      for (let turn = 0; turn < 50; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const held = [];
    for (let opened = 0; opened < 3; opened += 1) {
      held.push(await send('GET /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'));
      await turns();
    }
    // It is full, and this connection has it measure how long others wait.
    time += 200;
    await closed(await send(''));
    await turns();
    release();
    await Promise.all(held.map(answerOn));
    for (let sent = 0; sent < 3; sent += 1) {
      time += 60_000;
      const request =
        'POST /within-2-seconds HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
      assert.equal(statusOf(await answerOn(await send(request))), 200);
    }
  });
});

describe('closing the server', () => {
  it('does not wait for incomplete requests, nor for idle connections', async (test) => {
    const { send, echo, close } = await begin(test, {}, steppedTimers());
    await echo('and now this connection is idle');
    await send('');
    await send('GET / HT');
    await send(post('content-length: 5', 'x'));
    await close();
  });

  it('waits for a request in flight', async (test) => {
    const { send, close, release, arrived } = await begin(test, {}, steppedTimers());
    const underWay = await send('GET /held HTTP/1.1\r\nhost: x\r\n\r\n');
    await arrived;
    const ended = close();
    release();
    assert.match(await answerOn(underWay), /at last/);
    await ended;
  });

  it('waits no longer than `stopMs`', async (test) => {
    const timers = steppedTimers();
    const { send, close, arrived } = await begin(test, { stopMs: 3_000 }, timers);
    await send('GET /held HTTP/1.1\r\nhost: x\r\n\r\n');
    await arrived;
    const closing = close();
    await timers.advance(3_000);
    await closing;
  });
});

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Agent, Dispatcher } from 'undici';
import { exchange, type Phase } from '../../../src/provider/http/exchange.ts';
import { answer, type Behaviour, closedPort, partOfAnswer, silence } from '../../support/http/raw-server.ts';
import { serve } from '../../support/provider/provider-client.ts';

const limits = { signal: new AbortController().signal, maxBytes: 1000 };

test('the phase tells how far a request got', async (t) => {
  const agent = new Agent({ connections: 1, headersTimeout: 50, bodyTimeout: 50 });
  t.after(() => agent.close());
  const phaseWith = async (behaviour: Behaviour): Promise<Phase> => {
    const { url } = await serve(t, behaviour);
    const { phase } = await exchange(
      agent,
      { origin: url.origin, path: '/', method: 'POST', body: 'x' },
      limits,
    );
    return phase;
  };
  const nobody = `http://127.0.0.1:${await closedPort()}`;
  const refused = await exchange(agent, { origin: nobody, path: '/', method: 'POST', body: 'x' }, limits);
  assert.equal(refused.phase, 'waiting');
  assert.equal(await phaseWith(silence), 'sent');
  assert.equal(await phaseWith(partOfAnswer(200, 'x')), 'responding');
  assert.equal(await phaseWith(answer(200, 'x')), 'responding');
});

test('a request with a partly written body is writing, not sent', async (t) => {
  const { promise: cutNow, resolve: cut } = Promise.withResolvers<void>();
  const { url } = await serve(t, {
    onConnection: (socket) => {
      socket.once('readable', () => cutNow.then(() => socket.resetAndDestroy()));
    },
  });
  const agent = new Agent({ connections: 1 });
  t.after(() => agent.close());
  const endless = async function* () {
    yield 'some of it';
    cut();
    await new Promise<void>(() => {});
  };
  const body = Readable.from(endless());
  const { phase, failure } = await exchange(
    agent,
    { origin: url.origin, path: '/', method: 'POST', body },
    limits,
  );
  assert.equal(phase, 'writing');
  assert.equal(failure?.reason, 'cut_off');
});

/** A dispatcher that starts every request twice, as undici does with a requeued request. */
class Stutterer extends Dispatcher {
  readonly aborted: unknown[] = [];

  override dispatch(_request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = {
      aborted: false,
      paused: false,
      reason: null,
      abort: (reason: Error) => {
        this.aborted.push(reason);
        handler.onResponseError?.(controller, reason);
      },
      pause: () => {},
      resume: () => {},
    };
    handler.onRequestStart?.(controller, null);
    handler.onRequestStart?.(controller, null);
    return true;
  }
}

test('aborts a request that undici starts a second time', async () => {
  const stutterer = new Stutterer();
  const { phase, failure } = await exchange(stutterer, { path: '/', method: 'POST', body: 'x' }, limits);
  assert.equal(stutterer.aborted.length, 1);
  assert.equal(phase, 'writing');
  assert.equal(failure?.reason, 'cut_off');
});

test('skips an interim response', async (t) => {
  const { url } = await serve(t, (socket, received) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    answer(201, 'done')(socket, received);
  });
  const agent = new Agent({ connections: 1 });
  t.after(() => agent.close());
  const { head, body } = await exchange(agent, { origin: url.origin, path: '/', method: 'GET' }, limits);
  assert.equal(head?.status, 201);
  assert.equal(body.toString(), 'done');
});

test('an interim response alone is no response', async (t) => {
  const { url } = await serve(t, (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'));
  const agent = new Agent({ connections: 1 });
  t.after(() => agent.close());
  const { phase, head } = await exchange(agent, { origin: url.origin, path: '/', method: 'GET' }, limits);
  assert.equal(phase, 'sent');
  assert.equal(head, undefined);
});

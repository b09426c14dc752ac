import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createLog } from '../../src/lib/log.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { createHttpServer } from '../../src/web/server.ts';

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('every answer', () => {
  const server = createHttpServer({
    routes: [
      { method: 'GET', path: '/there', handle: async (_, response) => void response.end('there') },
      { method: 'POST', path: '/there', handle: async (_, response) => void response.end('posted') },
      { method: 'POST', path: '/posted', handle: async (_, response) => void response.end('posted') },
      { method: 'GET', path: '/fault', handle: () => Promise.reject(new Error('a fault')) },
    ],
    log: createLog('silent'),
    timers: systemTimers,
  });
  const listening = server.listen('127.0.0.1', 0);
  after(() => server.close());
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${await listening}${path}`, { method, headers });

  it('has the security headers, also where a request is refused', async () => {
    for (const [method, path, status] of [
      ['GET', '/there', 200],
      ['HEAD', '/there', 200],
      ['POST', '/posted', 200],
      ['GET', '/nowhere', 404],
      ['GET', '/posted', 405],
      ['GET', '/fault', 500],
    ] as const) {
      const answer = await ask(method, path);
      const header = (name: string) => answer.headers.get(name);
      assert.equal(answer.status, status, path);
      assert.equal(header('content-security-policy'), policy, path);
      assert.equal(header('x-content-type-options'), 'nosniff', path);
      assert.equal(header('x-frame-options'), 'DENY', path);
      assert.equal(header('referrer-policy'), 'no-referrer', path);
      assert.match(header('permissions-policy') ?? '', /camera=\(\)/, path);
      assert.equal(header('cache-control'), 'no-store', path);
      assert.equal(header('strict-transport-security'), null, path);
      assert.equal(header('x-powered-by') ?? header('server'), null, path);
    }
  });

  it('keeps browsers to https where the request came by https', async () => {
    for (const [forwarded, isHttps] of [
      ['https', true],
      ['https, http', true],
      ['http, https', false],
      ['HTTPS://evil', false],
      ['', false],
    ] as const) {
      const answer = await ask('GET', '/there', { 'x-forwarded-proto': forwarded });
      assert.equal(answer.headers.get('strict-transport-security') !== null, isHttps, forwarded);
    }
  });

  it('to a wrong method names the right ones', async () => {
    for (const [method, path, status, allow] of [
      ['DELETE', '/there', 405, 'GET, HEAD, POST'],
      ['HEAD', '/posted', 405, 'POST'],
      ['OPTIONS', '/fault', 405, 'GET, HEAD'],
      ['DELETE', '/nowhere', 404, null],
    ] as const) {
      const answer = await ask(method, path);
      assert.deepEqual([answer.status, answer.headers.get('allow')], [status, allow], `${method} ${path}`);
    }
  });
});

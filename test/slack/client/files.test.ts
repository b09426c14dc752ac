import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import { WebClient } from '@slack/web-api';
import { systemTimers, type Timers } from '../../../src/lib/time/timers.ts';
import { createFiles } from '../../../src/slack/client/files.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

const token = 'xoxb-token-of-the-app';

interface Teardown {
  after(end: () => void): void;
}

/** Slack's file host. */
async function fileHost(test: Teardown, answer: RequestListener) {
  const requests: { authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ authorization: request.headers.authorization });
    answer(request, response);
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, requests };
}

function filesOf(apiUrl: string | undefined, timers: Timers = systemTimers) {
  return createFiles({
    clients: { for: async () => new WebClient(token) },
    apiUrl: apiUrl === undefined ? undefined : new URL(`${apiUrl}/api/`),
    timers,
  });
}

const fileAt = (url: string) => ({ id: 'F1', name: 'list.csv', url_private_download: `${url}/list.csv` });

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(chunks)).toString();
}

describe('a file from a form', () => {
  it('is streamed in chunks, with the token', async (test) => {
    const { url, requests } = await fileHost(test, (_, response) => {
      response.write('Phone\n');
      response.end('08031234567\n');
    });
    assert.equal(await textOf(filesOf(url).stream('T0SWITCH', fileAt(url), 100)), 'Phone\n08031234567\n');
    assert.deepEqual(requests, [{ authorization: `Bearer ${token}` }]);
  });

  it('is requested from Slack’s own file host only', async (test) => {
    const { url, requests } = await fileHost(test, (_, response) => response.end('08031234567'));
    for (const apiUrl of [undefined, 'http://127.0.0.1:1']) {
      await assert.rejects(
        textOf(filesOf(apiUrl).stream('T0SWITCH', fileAt(url), 100)),
        /not on Slack’s file host/,
      );
    }
    assert.deepEqual(requests, []);
  });

  it('is not fetched from a redirect', async (test) => {
    const elsewhere = await fileHost(test, (_, response) => response.end('08031234567'));
    const { url } = await fileHost(test, (_, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/list.csv` }).end(),
    );
    await assert.rejects(textOf(filesOf(url).stream('T0SWITCH', fileAt(url), 100)));
    assert.deepEqual(elsewhere.requests, []);
  });

  it('is given up if it is too large, or does not exist', async (test) => {
    const { url } = await fileHost(test, ({ url: path }, response) =>
      response.writeHead(path === '/list.csv' ? 200 : 404).end('x'.repeat(1_000)),
    );
    await assert.rejects(textOf(filesOf(url).stream('T0SWITCH', fileAt(url), 999)), /too large/);
    assert.equal((await textOf(filesOf(url).stream('T0SWITCH', fileAt(url), 1_000))).length, 1_000);
    await assert.rejects(textOf(filesOf(url).stream('T0SWITCH', fileAt(`${url}/gone`), 999)), /answered 404/);
  });

  it('may take any time, unless the host is silent for 20 s', async (test) => {
    const { url } = await fileHost(test, (_, response) => void response.write('0803'));
    const timers = steppedTimers();
    const chunks = filesOf(url, timers).stream('T0SWITCH', fileAt(url), 100);
    const first = chunks.next();
    await timers.advance(19_999);
    assert.equal((await first).done, false);
    const silent = assert.rejects(chunks.next(), /fell silent/);
    await timers.advance(20_000);
    await silent;
  });

  it('is given up when the host never answers', async (test) => {
    const requested = Promise.withResolvers<void>();
    const { url } = await fileHost(test, () => requested.resolve());
    const timers = steppedTimers();
    const silent = assert.rejects(
      filesOf(url, timers).stream('T0SWITCH', fileAt(url), 100).next(),
      /fell silent/,
    );
    await requested.promise;
    await timers.advance(20_000);
    await silent;
  });

  it('waits for its reader without a limit', async (test) => {
    const { url } = await fileHost(test, (_, response) => response.end('08031234567'));
    const timers = steppedTimers();
    const chunks = filesOf(url, timers).stream('T0SWITCH', fileAt(url), 100);
    const first = await chunks.next();
    assert.equal(timers.pending(), 0);
    await timers.advance(60 * 60_000);
    assert.equal(Buffer.from(first.value ?? []).toString(), '08031234567');
    assert.equal((await chunks.next()).done, true);
  });

  it('is cancelled when the reader stops, or the signal is aborted', async (test) => {
    const closed = Promise.withResolvers<void>();
    const { url } = await fileHost(test, (_, response) => {
      response.on('close', () => closed.resolve());
      response.write('0803');
    });
    for await (const chunk of filesOf(url).stream('T0SWITCH', fileAt(url), 100)) {
      assert.equal(chunk.length, 4);
      break;
    }
    await closed.promise;
    const stopping = new AbortController();
    const chunks = filesOf(url).stream('T0SWITCH', fileAt(url), 100, stopping.signal);
    await chunks.next();
    stopping.abort(new Error('the program stops'));
    await assert.rejects(chunks.next(), /the program stops/);
  });
});

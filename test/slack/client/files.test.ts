import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import { WebClient } from '@slack/web-api';
import { systemTimers, type Timers } from '../../../src/lib/time/timers.ts';
import { createFiles, UnreadableFileError } from '../../../src/slack/client/files.ts';
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
    clients: {
      for: async () => new WebClient(token, apiUrl === undefined ? {} : { slackApiUrl: `${apiUrl}/api/` }),
    },
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

  it('is fetched from its other address, and Slack is asked where it has none', async (test) => {
    const asked: string[] = [];
    const { url } = await fileHost(test, (request, response) => {
      if (request.url !== '/api/files.info') {
        response.end('08031234567');
        return;
      }
      asked.push(request.url);
      response.setHeader('content-type', 'application/json');
      const file = { id: 'F1', name: 'list.csv', url_private: `${url}/list.csv` };
      response.end(JSON.stringify({ ok: true, file }));
    });
    const other = { id: 'F1', name: 'list.csv', url_private: `${url}/list.csv` };
    assert.equal(await textOf(filesOf(url).stream('T0SWITCH', other, 100)), '08031234567');
    assert.deepEqual(asked, []);
    const stub = { id: 'F1', name: 'File', file_access: 'check_file_info' };
    assert.equal(await textOf(filesOf(url).stream('T0SWITCH', stub, 100)), '08031234567');
    assert.equal(asked.length, 1);
  });

  it('is refused with the reason where Slack doesn’t describe it, and may be tried again where Slack has failed', async (test) => {
    let error = '';
    const { url } = await fileHost(test, (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ok: false, error }));
    });
    const stub = { id: 'F1', name: 'File', file_access: 'check_file_info' };
    const reasonFor = async (code: string) => {
      error = code;
      const failed = await textOf(filesOf(url).stream('T0SWITCH', stub, 100)).catch(
        (thrown: unknown) => thrown,
      );
      return failed instanceof UnreadableFileError ? failed.reason : undefined;
    };
    for (const code of ['access_denied', 'not_visible', 'file_not_found', 'missing_scope', 'no_permission']) {
      assert.match((await reasonFor(code)) ?? '', /doesn’t let this app read the file/, code);
    }
    assert.match((await reasonFor('file_deleted')) ?? '', /was deleted in Slack/);
    for (const code of ['internal_error', 'ratelimited', 'token_revoked']) {
      assert.equal(await reasonFor(code), undefined, code);
    }
  });

  it('is refused where Slack hands over a page in its place', async (test) => {
    const page = '<!DOCTYPE html><html><body>Sign in to Switchboard</body></html>';
    const { url } = await fileHost(test, ({ url: path }, response) => {
      response.setHeader('content-type', path === '/list.csv' ? 'text/html; charset=utf-8' : 'text/csv');
      response.end(`\uFEFF\n${page}`);
    });
    for (const file of [fileAt(url), fileAt(`${url}/untyped`)]) {
      await assert.rejects(textOf(filesOf(url).stream('T0SWITCH', file, 1_000)), /sign-in page/);
    }
    const saved = { ...fileAt(url), name: 'statement.xls' };
    await assert.rejects(textOf(filesOf(url).stream('T0SWITCH', saved, 1_000)), /is a web page/);
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

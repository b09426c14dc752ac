import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { WebClient } from '@slack/web-api';
import { Secret } from '../../../src/lib/secret.ts';
import { createFiles } from '../../../src/slack/client/files.ts';

const token = 'xoxb-token-of-the-app';

interface Teardown {
  after(end: () => void): void;
}

/** Slack's file host, as far as a file is fetched from there. */
async function fileHost(test: Teardown, answer: RequestListener) {
  const asked: { authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ authorization: request.headers.authorization });
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
  return { url: `http://127.0.0.1:${port}`, asked };
}

function filesOf(apiUrl: string | undefined, idleTimeout?: number) {
  return createFiles({
    client: new WebClient(token),
    botToken: new Secret(token),
    apiUrl: apiUrl === undefined ? undefined : new URL(`${apiUrl}/api/`),
    ...(idleTimeout === undefined ? {} : { idleTimeout }),
  });
}

const fileAt = (url: string) => ({ id: 'F1', name: 'list.csv', url_private_download: `${url}/list.csv` });

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(pieces)).toString();
}

describe('a file that a person dropped in', () => {
  it('comes piece by piece, and with the token', async (test) => {
    const { url, asked } = await fileHost(test, (_, response) => {
      response.write('Phone\n');
      response.end('08031234567\n');
    });
    assert.equal(await textOf(filesOf(url).stream(fileAt(url), 100)), 'Phone\n08031234567\n');
    assert.deepEqual(asked, [{ authorization: `Bearer ${token}` }]);
  });

  it('is asked of Slack’s own file host alone', async (test) => {
    const { url, asked } = await fileHost(test, (_, response) => response.end('08031234567'));
    for (const apiUrl of [undefined, 'http://127.0.0.1:1']) {
      await assert.rejects(textOf(filesOf(apiUrl).stream(fileAt(url), 100)), /not on Slack’s file host/);
      await assert.rejects(filesOf(apiUrl).download(fileAt(url), 100), /not on Slack’s file host/);
    }
    assert.deepEqual(asked, []);
  });

  it('is not fetched from where the host sends on to', async (test) => {
    const elsewhere = await fileHost(test, (_, response) => response.end('08031234567'));
    const { url } = await fileHost(test, (_, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/list.csv` }).end(),
    );
    await assert.rejects(textOf(filesOf(url).stream(fileAt(url), 100)));
    assert.deepEqual(elsewhere.asked, []);
  });

  it('is given up where it is larger than may be, or not there', async (test) => {
    const { url } = await fileHost(test, ({ url: path }, response) =>
      response.writeHead(path === '/list.csv' ? 200 : 404).end('x'.repeat(1_000)),
    );
    await assert.rejects(textOf(filesOf(url).stream(fileAt(url), 999)), /too large/);
    assert.equal((await textOf(filesOf(url).stream(fileAt(url), 1_000))).length, 1_000);
    await assert.rejects(textOf(filesOf(url).stream(fileAt(`${url}/gone`), 999)), /answered 404/);
  });

  it('may take its time, unless nothing comes any more', async (test) => {
    const { url } = await fileHost(test, (_, response) => void response.write('0803'));
    await assert.rejects(textOf(filesOf(url, 50).stream(fileAt(url), 100)), /fell silent/);
    const deaf = await fileHost(test, () => {});
    await assert.rejects(textOf(filesOf(deaf.url, 50).stream(fileAt(deaf.url), 100)), /fell silent/);
  });

  it('waits for its reader as long as that takes', async (test: TestContext) => {
    const { url } = await fileHost(test, (_, response) => response.end('08031234567'));
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const pieces = filesOf(url).stream(fileAt(url), 100);
    const first = await pieces.next();
    test.mock.timers.tick(60 * 60_000);
    assert.equal(Buffer.from(first.value ?? []).toString(), '08031234567');
    assert.equal((await pieces.next()).done, true);
  });

  it('is let go of when the reading stops, or is to stop', async (test) => {
    const closed = Promise.withResolvers<void>();
    const { url } = await fileHost(test, (_, response) => {
      response.on('close', () => closed.resolve());
      response.write('0803');
    });
    for await (const piece of filesOf(url).stream(fileAt(url), 100)) {
      assert.equal(piece.length, 4);
      break;
    }
    await closed.promise;
    const stopping = new AbortController();
    const pieces = filesOf(url).stream(fileAt(url), 100, stopping.signal);
    await pieces.next();
    stopping.abort(new Error('the program stops'));
    await assert.rejects(pieces.next(), /the program stops/);
  });
});

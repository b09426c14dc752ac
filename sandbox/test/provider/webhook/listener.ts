import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { isJsonObject, type JsonObject, parseJsonText } from '../../../lib/json.ts';

interface HeardPost {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: JsonObject;
}

/** A server that a webhook posts to. Closes with its test. */
export interface Listener {
  url: string;
  /** In the order of arrival. */
  heard: HeardPost[];
  statuses(): unknown[];
  /** Resolves once this many posts have arrived. */
  hears(count: number): Promise<void>;
}

export async function listen(t: TestContext, status: () => number = () => 200): Promise<Listener> {
  const heard: HeardPost[] = [];
  const arrivals = new EventEmitter();
  const server = createServer(async (request, response) => {
    const content = await text(request);
    const body = parseJsonText(content);
    heard.push({
      path: request.url ?? '',
      headers: request.headers,
      text: content,
      body: isJsonObject(body) ? body : {},
    });
    response.writeHead(status()).end();
    arrivals.emit('post');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/provider/reports/secret-token-1234`,
    heard,
    statuses: () => heard.map(({ body }) => body.status),
    async hears(count) {
      while (heard.length < count) {
        await once(arrivals, 'post');
      }
    },
  };
}

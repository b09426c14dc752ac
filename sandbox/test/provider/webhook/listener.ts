import { once } from 'node:events';
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
}

export async function listen(t: TestContext, status: () => number = () => 200): Promise<Listener> {
  const heard: HeardPost[] = [];
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
  };
}

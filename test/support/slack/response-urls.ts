import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Addresses that a request names for its responses. */
export interface ResponseUrls {
  /** Returns the address with this name. */
  of(name: string): string;
  /** Returns what has been posted to it, and forgets it. */
  take(name: string): string[];
}

export async function receiveResponses(test: { after(end: () => void): void }): Promise<ResponseUrls> {
  const received = new Map<string, string[]>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const name = (request.url ?? '').slice(1);
      received.set(name, [...(received.get(name) ?? []), body]);
      response.end('ok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    of: (name) => `http://127.0.0.1:${port}/${name}`,
    take(name) {
      const bodies = received.get(name) ?? [];
      received.delete(name);
      return bodies;
    },
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '../../../lib/log.ts';
import { boundConnections } from './connections.ts';
import { readRequestBody } from './request-body.ts';

export interface HttpRoute {
  method: 'GET' | 'POST';
  path: string;
  /** `body` is empty for a GET. What it throws is answered with 500, and ends nothing else. */
  handle(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void>;
}

export interface HttpServer {
  /** Resolves with the port. */
  listen(host: string, port: number): Promise<number>;
  /**
   * Takes no more requests and cuts off those that are not whole. Resolves when the others are answered; those that are
   * not within `stopMs` are cut off too.
   */
  close(): Promise<void>;
}

/** What a stranger can take of the program, before anything is known of them. Times are in milliseconds. */
export interface HttpLimits {
  /** Over it, the connection that has waited longest for the rest of its request makes room. */
  maxConnections: number;
  /**
   * Of one request. The largest that Slack makes has a view of 250 kB in it, three times as long once it is URL-encoded,
   * with what was typed into its fields beside it; most have less than 10 kB.
   */
  maxBodyBytes: number;
  /** Of all bodies together that have not arrived in whole. Over it, the largest is cut off. */
  maxPendingBytes: number;
  /** From the first byte to the last. Slack gives up on an answer after 3 s. */
  requestMs: number;
  /** How long nothing may move while a request is under way, in either direction. */
  idleMs: number;
  /**
   * How long a connection may wait for its next request: longer than proxies keep theirs, which would otherwise use one
   * that is just being closed.
   */
  keepAliveMs: number;
  stopMs: number;
}

export const httpLimits: HttpLimits = {
  maxConnections: 1_000,
  maxBodyBytes: 1024 * 1024,
  maxPendingBytes: 16 * 1024 * 1024,
  requestMs: 5_000,
  idleMs: 30_000,
  keepAliveMs: 75_000,
  stopMs: 3_000,
};

/** The one HTTP server of the program. No request to it ends the program, blocks it, or makes it grow without a bound. */
export function createHttpServer(
  routes: readonly HttpRoute[],
  log: Log,
  limits: HttpLimits = httpLimits,
): HttpServer {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));

  const server = createServer(
    {
      headersTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, limits.requestMs),
    },
    (request, response) => {
      respond(request, response).catch((error: unknown) => {
        // The far end went away, or was cut off: there is nobody to answer.
        if (request.destroyed && !request.complete) {
          return;
        }
        log.error({ err: error }, 'a request could not be answered');
        refuse(response, 500);
      });
    },
  );
  server.timeout = limits.idleMs;
  const connections = boundConnections(server, limits);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once('close', () => connections.answered(request.socket));
    const url = URL.parse(request.url ?? '', 'http://localhost');
    if (url === null) {
      refuse(response, 400);
      return;
    }
    const route = byName.get(`${request.method} ${url.pathname}`);
    if (route === undefined) {
      refuse(response, 404);
      return;
    }
    const body =
      route.method === 'GET'
        ? Buffer.alloc(0)
        : await readRequestBody(request, limits.maxBodyBytes, (bytes) =>
            connections.received(request.socket, bytes),
          );
    if (body === undefined) {
      refuse(response, 413);
      return;
    }
    connections.complete(request.socket);
    await route.handle(request, response, body);
  }

  return {
    async listen(host, port) {
      server.listen({ host, port, backlog: 4096 });
      await once(server, 'listening');
      // A connection that could not be accepted, for want of file descriptors for example.
      server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'));
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : 0;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      connections.drain();
      // Node's own time limits are no longer looked at once a server is closing.
      const deadline = setTimeout(() => connections.destroy(), limits.stopMs);
      await closed;
      clearTimeout(deadline);
    },
  };
}

/** Answers with a status alone, and ends the connection: what is left of the request is not read. */
function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { connection: 'close' }).end();
}

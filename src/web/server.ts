import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../lib/log.ts';
import { machineTime, type Stopwatch } from '../lib/time/clock.ts';
import { throttle } from '../lib/time/throttle.ts';
import { startTimeout } from '../lib/time/timeout.ts';
import type { Timers } from '../lib/time/timers.ts';
import { type AcceptWait, measureAcceptWait } from './accept-wait.ts';
import { securityHeaders } from './security-headers.ts';

export interface HttpRoute {
  /** `GET` answers HEAD too. */
  method: 'GET' | 'POST';
  path: string;
  /** Whether it takes each path that begins with `path`, which ends with a slash, and has no other slash after it. */
  takesRest?: boolean | undefined;
  /** Less than the limit in `HttpLimits`. */
  maxBodyBytes?: number | undefined;
  /**
   * Closes a connection at its first request if it waited longer than this to be accepted: its client has given up, or will
   * before an answer is there. In milliseconds.
   */
  maxAcceptWaitMs?: number | undefined;
  /** Called where a body was refused for its length. */
  onOversized?: (() => void) | undefined;
  /**
   * `body` is empty for a GET, and `rest` without `takesRest`. An error is answered with 500. The security headers are set
   * before.
   */
  handle(request: IncomingMessage, response: ServerResponse, body: Buffer, rest: string): Promise<void>;
}

export interface HttpServer {
  /** Resolves with the port. */
  listen(host: string, port: number): Promise<number>;
  /**
   * Refuses new requests and disconnects clients with an incomplete one. Resolves when all others are answered, or
   * disconnected after `stopMs`.
   */
  close(): Promise<void>;
}

/** What an unauthenticated client can use of the program. Times are in milliseconds. */
export interface HttpLimits {
  /** Above it, the connection that has waited longest for the rest of its request is closed. */
  maxConnections: number;
  /**
   * Of one request. Slack's largest has a view of 250 kB in it, three times as long once it is URL-encoded, and the values
   * of its fields; most have less than 10 kB.
   */
  maxBodyBytes: number;
  /** Of all bodies together that have not arrived in whole. Above it, the largest is disconnected. */
  maxPendingBytes: number;
  /** From the first byte to the last. Slack gives up on an answer after 3 s. */
  requestMs: number;
  /** How long a connection may be silent, in both directions, while a request is under way. */
  idleMs: number;
  /**
   * How long a connection may wait for its next request: longer than proxies keep theirs, which could otherwise use one
   * that is being closed.
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

/** The program's HTTP server. No request to it ends the program, blocks it, or makes its memory grow without a bound. */
export function createHttpServer(options: {
  routes: readonly HttpRoute[];
  /** Answers a GET of an unknown path. By default the answer is a status alone, like every other refusal. */
  answerUnknown?: ((response: ServerResponse) => void) | undefined;
  log: Log;
  timers: Timers;
  limits?: HttpLimits | undefined;
  /** For how long connections wait, which no clock of the product changes. */
  elapsed?: Stopwatch | undefined;
}): HttpServer {
  const { routes, answerUnknown, log, timers, limits = httpLimits, elapsed = machineTime.elapsed } = options;
  const byPath = Map.groupBy(routes, ({ path }) => path);

  const server = createServer(
    {
      headersTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, limits.requestMs),
    },
    (request, response) => {
      respond(request, response, serving).catch((error: unknown) => {
        // The client has disconnected, so nobody is waiting for an answer.
        if (request.destroyed && !request.complete) {
          return;
        }
        log.error({ err: error }, 'a request could not be answered');
        refuse(response, 500);
      });
    },
  );
  server.timeout = limits.idleMs;
  // Comes first: it takes its own connections away before they are counted.
  const acceptWait = measureAcceptWait(server, elapsed);
  const connections = limitConnections(server, limits);
  const onTooLate = throttle(warnEveryMs, elapsed, (waitedMs: number) =>
    log.warn(
      { waitedMs: Math.round(waitedMs) },
      'a request waited too long to be accepted and was not answered; at most one a minute is logged',
    ),
  );
  const serving = { byPath, answerUnknown, limits, connections, acceptWait, onTooLate };

  return {
    async listen(host, port) {
      server.listen({ host, port, backlog: 4096 });
      await once(server, 'listening');
      // Such as a connection that could not be accepted because no file descriptor was free.
      server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'));
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : 0;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      acceptWait.stop();
      connections.drain();
      // Node no longer enforces its own time limits once a server is closing.
      const clear = startTimeout(limits.stopMs, () => connections.destroy(), timers);
      await closed;
      clear();
    },
  };
}

const warnEveryMs = 60_000;

/** What a server answers with. */
interface Serving {
  byPath: ReadonlyMap<string, readonly HttpRoute[]>;
  answerUnknown: ((response: ServerResponse) => void) | undefined;
  limits: HttpLimits;
  connections: Connections;
  acceptWait: AcceptWait;
  /** Called with the milliseconds of a connection that is closed for its wait. */
  onTooLate: (waitedMs: number) => void;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { byPath, answerUnknown, limits, connections, acceptWait, onTooLate }: Serving,
): Promise<void> {
  response.once('close', () => connections.answered(request.socket));
  for (const [name, value] of Object.entries(securityHeaders(request))) {
    response.setHeader(name, value);
  }
  const url = URL.parse(request.url ?? '', 'http://localhost');
  if (url === null) {
    refuse(response, 400);
    return;
  }
  const start = url.pathname.lastIndexOf('/') + 1;
  const exact = byPath.get(url.pathname)?.filter(({ takesRest }) => !takesRest) ?? [];
  const there =
    exact.length > 0
      ? exact
      : (byPath.get(url.pathname.slice(0, start))?.filter(({ takesRest }) => takesRest) ?? []);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = there.find((each) => each.method === method);
  if (route === undefined && there.length === 0 && method === 'GET' && answerUnknown !== undefined) {
    response.setHeader('connection', 'close');
    answerUnknown(response);
    return;
  }
  if (route === undefined) {
    const methods = there.flatMap((each) => (each.method === 'GET' ? ['GET', 'HEAD'] : [each.method]));
    if (methods.length === 0) {
      refuse(response, 404);
    } else {
      refuse(response, 405, { allow: methods.join(', ') });
    }
    return;
  }
  const waitedMs = acceptWait.take(request.socket);
  if (waitedMs > (route.maxAcceptWaitMs ?? Number.POSITIVE_INFINITY)) {
    onTooLate(waitedMs);
    request.socket.destroy();
    return;
  }
  const body =
    route.method === 'GET'
      ? Buffer.alloc(0)
      : await readBoundedBody(request, route.maxBodyBytes ?? limits.maxBodyBytes, (bytes) =>
          connections.received(request.socket, bytes),
        );
  if (body === undefined) {
    route.onOversized?.();
    refuse(response, 413);
    return;
  }
  connections.complete(request.socket);
  await route.handle(request, response, body, route.takesRest ? url.pathname.slice(start) : '');
}

/** Answers with a status alone and closes the connection: the rest of the request is not read. */
function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...headers, connection: 'close' }).end();
}

/**
 * The open connections of a server, limited in number and in the bytes of requests that have not arrived in whole. Above
 * a limit, a connection whose request is not whole is closed: a client that holds many open, or sends much, makes room
 * for the next one, so a request that arrives at once, as Slack's do, is always accepted.
 */
interface Connections {
  /** Counts bytes of a request that is not whole yet. */
  received(socket: Socket, bytes: number): void;
  /** The request is whole: its connection is not closed until it is answered. */
  complete(socket: Socket): void;
  /** The request is answered: its connection may send another one. */
  answered(socket: Socket): void;
  /** Closes the connections whose request is not being answered, now and from now on. */
  drain(): void;
  /** Closes all connections. */
  destroy(): void;
}

function limitConnections(
  server: Server,
  { maxConnections, maxPendingBytes }: { maxConnections: number; maxPendingBytes: number },
): Connections {
  const open = new Set<Socket>();
  /** The bytes of each request that is not whole, by connection, the longest waiting first. */
  const pending = new Map<Socket, number>();
  let pendingBytes = 0;
  let draining = false;

  function settle(socket: Socket): void {
    pendingBytes -= pending.get(socket) ?? 0;
    pending.delete(socket);
  }

  function disconnect(socket: Socket | undefined): void {
    if (socket === undefined) {
      return;
    }
    settle(socket);
    open.delete(socket);
    socket.destroy();
  }

  server.on('connection', (socket: Socket) => {
    if (socket.destroyed) {
      return;
    }
    open.add(socket);
    pending.set(socket, 0);
    socket.once('close', () => {
      settle(socket);
      open.delete(socket);
    });
    if (open.size > maxConnections) {
      disconnect(pending.keys().next().value);
    }
  });

  return {
    received(socket, bytes) {
      const before = pending.get(socket);
      if (before === undefined) {
        return;
      }
      pending.set(socket, before + bytes);
      pendingBytes += bytes;
      if (pendingBytes > maxPendingBytes) {
        const [[largest] = []] = [...pending].sort(([, one], [, other]) => other - one);
        disconnect(largest);
      }
    },
    complete: settle,
    answered(socket) {
      if (!open.has(socket)) {
        return;
      }
      if (draining) {
        socket.destroySoon();
      } else {
        pending.set(socket, 0);
      }
    },
    drain() {
      draining = true;
      for (const socket of [...pending.keys()]) {
        disconnect(socket);
      }
    },
    destroy() {
      for (const socket of [...open]) {
        disconnect(socket);
      }
    },
  };
}

/**
 * Reads the body of a request. Resolves with undefined as soon as the body proves longer than `maxBytes`, whatever its
 * announced length. Rejects if the connection ends before the body.
 *
 * @param onBytes called with the length of each chunk
 */
async function readBoundedBody(
  request: IncomingMessage,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return undefined;
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let length = 0;
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) {
      request.off('data', onData);
      resolve(undefined);
      return;
    }
    chunks.push(chunk);
    onBytes(chunk.length);
  };
  request.on('data', onData);
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => {
    if (!request.complete) {
      reject(new Error('the connection ended in the middle of a request'));
    }
  });
  return promise;
}

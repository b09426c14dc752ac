import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './self-signed-certificate.ts';

/** A request as received. */
export interface Received {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of the connection, from 1. */
  readonly connection: number;
}

/** What the server does after it has read a request. */
export type Behaviour = (socket: Socket, received: Received) => void;

export interface RawServer {
  readonly port: number;
  readonly url: URL;
  /** Every completely read request, oldest first. */
  readonly requests: readonly Received[];
  readonly connections: () => number;
  /** Resolves once `count` requests were read. */
  readonly received: (count: number) => Promise<void>;
  /** Resolves once no connection is open. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Script {
  /** Default: responds with 200 and `{}`. */
  readonly onRequest?: Behaviour;
  /** Takes over a connection before anything is read from it; no requests are read then. */
  readonly onConnection?: (socket: Socket) => void;
  /** Uses TLS with this certificate, and offers HTTP/2 without speaking it. */
  readonly certificate?: Certificate;
}

/**
 * A server on loopback that parses HTTP requests and otherwise does with the socket exactly what its script says, such as
 * to cut a connection at a given moment, to stop responding, or to send invalid bytes.
 */
export async function startRawServer(script: Script = {}): Promise<RawServer> {
  const { onRequest = answer(200, '{}') } = script;
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  const watchers = new Set<() => void>();
  let connections = 0;

  const changed = () => {
    for (const watcher of watchers) {
      watcher();
    }
  };
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const watcher = () => {
        if (!condition()) {
          return;
        }
        watchers.delete(watcher);
        resolve();
      };
      watchers.add(watcher);
      watcher();
    });

  const onSocket = (socket: Socket) => {
    const connection = ++connections;
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket);
        changed();
      });
    if (script.onConnection) {
      script.onConnection(socket);
      changed();
      return;
    }
    let buffered: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk]);
      for (let read = readRequest(buffered); read; read = readRequest(buffered)) {
        buffered = read.rest;
        const received = { ...read.request, connection };
        requests.push(received);
        onRequest(socket, received);
        changed();
      }
    });
    changed();
  };

  const server: Server = script.certificate
    ? createTlsServer({ ...script.certificate, ALPNProtocols: ['h2', 'http/1.1'] }, onSocket)
    : createServer({ pauseOnConnect: script.onConnection !== undefined }, onSocket);
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('no port');
  }
  const { port } = address;

  return {
    port,
    url: new URL(`${script.certificate ? 'https' : 'http'}://127.0.0.1:${port}`),
    requests,
    connections: () => connections,
    received: (count) => until(() => requests.length >= count),
    idle: () => until(() => sockets.size === 0),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await closed;
    },
  };
}

function readRequest(bytes: Buffer): { request: Omit<Received, 'connection'>; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    return undefined;
  }
  const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', path = ''] = start.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const from = end + 4;
  const to = from + Number(headers['content-length'] ?? 0);
  if (bytes.length < to) {
    return undefined;
  }
  return {
    request: { method, path, headers, body: bytes.toString('utf8', from, to) },
    rest: bytes.subarray(to),
  };
}

type Headers = Readonly<Record<string, string>>;

function headOf(status: number, length: number, headers: Headers): string {
  const all = { 'content-type': 'application/json', 'content-length': String(length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`;
}

/** Responds completely and keeps the connection. */
export function answer(status: number, body: string | Uint8Array | object, headers: Headers = {}): Behaviour {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return (socket) =>
    socket.write(Buffer.concat([Buffer.from(headOf(status, bytes.length, headers), 'latin1'), bytes]));
}

/** Responds with a part of a body, and then stops or applies another behaviour. */
export function partOfAnswer(status: number, part: string, then: Behaviour = silence): Behaviour {
  return (socket, received) => {
    socket.write(headOf(status, Buffer.byteLength(part) + 100, {}) + part, () => then(socket, received));
  };
}

/** Sends these bytes, HTTP or not. */
export function bytes(text: string): Behaviour {
  return (socket) => socket.write(text);
}

/** Never responds. */
export const silence: Behaviour = () => {};

/** Closes the connection without a response. */
export const hangUp: Behaviour = (socket) => socket.destroy();

/** Resets the connection (TCP RST). */
export const reset: Behaviour = (socket) => socket.resetAndDestroy();

/** Applies the behaviours to the requests in order; the last one to all that follow. */
export function inTurn(...behaviours: readonly [Behaviour, ...Behaviour[]]): Behaviour {
  let count = 0;
  return (socket, received) => {
    const behaviour = behaviours[Math.min(count, behaviours.length - 1)];
    count += 1;
    behaviour?.(socket, received);
  };
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await startRawServer();
  await server.close();
  return server.port;
}

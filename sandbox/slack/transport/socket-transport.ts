import { randomBytes } from 'node:crypto';
import { type WebSocket, WebSocketServer } from 'ws';
import { isJsonObject, type Json, type JsonObject, parseJsonText, stringAt } from '../../lib/json.ts';
import { ApiError } from '../errors.ts';
import { app } from '../workspace/fixtures.ts';
import {
  type AppRequest,
  type AppResponse,
  type AppTransport,
  type AppTransportOptions,
  type DeliveryOptions,
  recorded,
} from './transport.ts';

interface SocketTransportOptions extends AppTransportOptions {
  /** Returns Slack's address, `http://…`. */
  base: () => string;
  /** Called when a socket opens or closes. */
  onChange: () => void;
}

const MAX_SOCKETS = 10;
const PING_INTERVAL_MS = 10_000;
/** How long the app has for the closing handshake of a socket. */
const CLOSE_TIMEOUT_MS = 500;

/** Delivers requests through sockets that the app opened. Slack: Socket Mode, apps.connections.open. */
export function createSocketTransport(options: SocketTransportOptions): AppTransport {
  const { ackTimeoutMs, base, onChange } = options;
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const sockets: WebSocket[] = [];
  const waiting = new Map<string, (payload: Json) => void>();
  let pinging = true;
  let silent = 0;

  const greet = (socket: WebSocket): void => {
    sockets.push(socket);
    const ping = () => pinging && socket.ping();
    const pings = setInterval(ping, PING_INTERVAL_MS).unref();
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearInterval(pings);
      sockets.splice(sockets.indexOf(socket), 1);
      onChange();
    });
    socket.on('message', (data) => {
      const message = parseJsonText(String(data));
      if (!isJsonObject(message)) {
        return;
      }
      waiting.get(stringAt(message, 'envelope_id') ?? '')?.(message.payload ?? null);
    });
    if (silent > 0) {
      silent -= 1;
      onChange();
      return;
    }
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: sockets.length,
        connection_info: { app_id: app.id },
        debug_info: { host: 'sandbox', approximate_connection_time: 18_060 },
      }),
    );
    onChange();
  };

  /** Returns the sockets in rotation, so that an app receives requests on all of them. */
  const nextSocket = (): WebSocket | undefined => {
    const socket = sockets.shift();
    if (socket) {
      sockets.push(socket);
    }
    return socket;
  };

  const send = async (
    request: AppRequest,
    delivery: DeliveryOptions,
  ): Promise<Omit<AppResponse, 'milliseconds'>> => {
    const socket = nextSocket();
    // Slackbot has no way to an app but an address.
    if (!socket || request.kind === 'mcp') {
      return { status: 0, body: null, failure: 'dispatch_failed' };
    }
    const answered = Promise.withResolvers<AppResponse['body'] | 'late'>();
    const timer = setTimeout(() => answered.resolve('late'), ackTimeoutMs);
    waiting.set(request.id, answered.resolve);
    socket.send(JSON.stringify(envelope(request, delivery)));
    const body = await answered.promise;
    clearTimeout(timer);
    waiting.delete(request.id);
    if (body === 'late') {
      return { status: 0, body: null, failure: 'operation_timeout' };
    }
    return { status: 200, body: isJsonObject(body) && Object.keys(body).length === 0 ? null : body };
  };

  return {
    deliver: (request, delivery = {}) =>
      recorded(options, `socket ${request.kind} (${request.what})`, request, send(request, delivery)),
    methods: {
      'apps.connections.open': {
        token: 'app',
        run: () => {
          if (sockets.length >= MAX_SOCKETS) {
            throw new ApiError('too_many_websockets');
          }
          const ticket = randomBytes(12).toString('hex');
          tickets.add(ticket);
          return { url: `${base().replace(/^http/, 'ws')}/link/?ticket=${ticket}&app_id=${app.id}` };
        },
      },
    },
    accept(request, socket, head) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname !== '/link/' || !tickets.delete(searchParams.get('ticket') ?? '')) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, greet);
    },
    get sockets() {
      return sockets.length;
    },
    dropSockets(how) {
      const notice = { type: 'disconnect', reason: 'refresh_requested', debug_info: { host: 'sandbox' } };
      for (const socket of [...sockets]) {
        if (how === 'refresh') {
          socket.send(JSON.stringify(notice));
        } else {
          socket.terminate();
        }
      }
    },
    withholdHello() {
      silent += 1;
    },
    setPings(areSent) {
      pinging = areSent;
      for (const socket of areSent ? sockets : []) {
        socket.ping();
      }
    },
    async close() {
      await Promise.all(sockets.map(closeSocket));
    },
  };
}

function envelope(request: AppRequest, { retry }: DeliveryOptions): JsonObject {
  return {
    envelope_id: request.id,
    type: request.kind,
    payload: request.payload,
    accepts_response_payload: request.kind !== 'events_api',
    ...(retry && { retry_attempt: retry.number, retry_reason: retry.reason }),
  };
}

/** Closes a socket with the WebSocket handshake, so that the app sees it at once. */
async function closeSocket(socket: WebSocket): Promise<void> {
  const timer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.close(1001);
  await closed;
  clearTimeout(timer);
}

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { Methods } from '../web-api/method.ts';

/** One request of Slack to the app, whichever way it travels. */
export interface AppRequest {
  /** The envelope's id on a socket. */
  id: string;
  kind: 'slash_commands' | 'interactive' | 'events_api';
  payload: JsonObject;
  /** For the inspector: what it is, for example `command /sms`. */
  what: string;
}

/** How a request differs from an honest first one. */
export interface DeliveryOptions {
  /** A repeated request: Slack counts from 1. */
  retry?: { number: number; reason: string };
  /** Sent instead of the true signature. HTTP only. */
  signature?: string;
  /** Sent and signed instead of the present time, in seconds. HTTP only. */
  timestamp?: number;
}

/** What the app acknowledged with. */
export interface AppResponse {
  /** The HTTP status, 200 over a socket, 0 when there was no answer. */
  status: number;
  /** Parsed if it is JSON, text if not, null if empty. */
  body: Json;
  milliseconds: number;
  /** In Slack's words, when the app did not acknowledge. */
  failure?: 'operation_timeout' | 'dispatch_failed';
}

/** Carries requests to the app. */
export interface AppTransport {
  deliver(request: AppRequest, handling?: DeliveryOptions): Promise<AppResponse>;
  /** The methods of the Web API that belong to this way. */
  methods: Methods;
  /** Takes up a socket of the app, if this way knows sockets. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** How many are open. */
  readonly sockets: number;
  dropSockets(how: 'cut' | 'refresh'): void;
  close(): Promise<void>;
}

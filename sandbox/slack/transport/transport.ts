import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { Methods } from '../web-api/method.ts';

/** A request of Slack to the app, over HTTP or a socket. */
export interface AppRequest {
  /** The envelope id on a socket. */
  id: string;
  kind: 'slash_commands' | 'interactive' | 'events_api';
  payload: JsonObject;
  /** A description for the request log, such as `command /sms`. */
  what: string;
}

/** Differences from a genuine first delivery. */
export interface DeliveryOptions {
  /** Marks a retry, counted from 1. */
  retry?: { number: number; reason: string };
  /** Replaces the signature. HTTP only. */
  signature?: string;
  /** Replaces the time of the request, in seconds, also in the signature. HTTP only. */
  timestamp?: number;
}

/** The acknowledgement of the app. */
export interface AppResponse {
  /** The HTTP status. 200 over a socket, 0 without an answer. */
  status: number;
  /** Parsed JSON, else text, or null when empty. */
  body: Json;
  milliseconds: number;
  /** Slack's error when the app did not acknowledge. */
  failure?: 'operation_timeout' | 'dispatch_failed';
}

/** Delivers requests to the app. */
export interface AppTransport {
  deliver(request: AppRequest, delivery?: DeliveryOptions): Promise<AppResponse>;
  /** The Web API methods of this transport. */
  methods: Methods;
  /** Accepts a socket of the app, or destroys it when the transport has none. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The number of open sockets. */
  readonly sockets: number;
  dropSockets(how: 'cut' | 'refresh'): void;
  close(): Promise<void>;
}

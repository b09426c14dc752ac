import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { request as send } from 'undici';
import { type Json, type JsonObject, parseJsonText } from '../../lib/json.ts';
import type { SlackRequestLog } from '../request-log.ts';
import type { Methods } from '../web-api/method.ts';

/** A request of Slack to the app, over HTTP or a socket. */
export interface AppRequest {
  /** The envelope id on a socket. */
  id: string;
  kind: 'slash_commands' | 'interactive' | 'events_api' | 'mcp';
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
  withholdHello(): void;
  setPings(areSent: boolean): void;
  close(): Promise<void>;
}

export interface AppTransportOptions {
  clock: () => Date;
  /** How long the app has to acknowledge, in milliseconds. */
  ackTimeoutMs: number;
  requestLog: SlackRequestLog;
}

/** Times the answer to a request, and records both. */
export async function recorded(
  { clock, requestLog }: AppTransportOptions,
  what: string,
  { payload }: AppRequest,
  answering: Promise<Omit<AppResponse, 'milliseconds'>>,
): Promise<AppResponse> {
  const startedAt = performance.now();
  const answer = await answering;
  const milliseconds = Math.round(performance.now() - startedAt);
  requestLog.record({
    at: clock().toISOString(),
    from: 'slack',
    to: 'app',
    what,
    request: payload,
    status: answer.failure ?? answer.status,
    answer: answer.body,
    milliseconds,
  });
  return { ...answer, milliseconds };
}

interface HttpTransportOptions extends AppTransportOptions {
  eventsUrl: string | (() => string);
  signingSecret: string;
}

/** A person waits longer for Slackbot than Slack does for an acknowledgement. */
const toolTimeoutMs = 60_000;

/** Delivers requests as signed HTTP. Slack: verifying requests, version v0. */
export function createHttpTransport(options: HttpTransportOptions): AppTransport {
  const { eventsUrl, signingSecret, clock, ackTimeoutMs } = options;
  return {
    async deliver(request: AppRequest, delivery: DeliveryOptions = {}): Promise<AppResponse> {
      const events = typeof eventsUrl === 'string' ? eventsUrl : eventsUrl();
      const isTool = request.kind === 'mcp';
      const url = isTool ? new URL('/mcp', events).href : events;
      const { body, contentType } = encode(request);
      const timestamp = String(delivery.timestamp ?? Math.floor(clock().getTime() / 1000));
      const answering = post(
        url,
        body,
        {
          'content-type': contentType,
          ...(isTool && { accept: 'application/json, text/event-stream' }),
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': delivery.signature ?? sign(signingSecret, timestamp, body),
          'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          ...(delivery.retry && {
            'x-slack-retry-num': String(delivery.retry.number),
            'x-slack-retry-reason': delivery.retry.reason,
          }),
        },
        isTool ? toolTimeoutMs : ackTimeoutMs,
      );
      return await recorded(options, `POST ${new URL(url).pathname} (${request.what})`, request, answering);
    },
    methods: {},
    accept: (_request, socket) => void socket.destroy(),
    sockets: 0,
    dropSockets() {},
    withholdHello() {},
    setPings() {},
    async close() {},
  };
}

function encode(request: AppRequest): { body: string; contentType: string } {
  if (request.kind === 'events_api' || request.kind === 'mcp') {
    return { body: JSON.stringify(request.payload), contentType: 'application/json' };
  }
  const fields =
    request.kind === 'interactive'
      ? { payload: JSON.stringify(request.payload) }
      : Object.fromEntries(Object.entries(request.payload).map(([key, value]) => [key, String(value)]));
  return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
}

function sign(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  ackTimeoutMs: number,
): Promise<Omit<AppResponse, 'milliseconds'>> {
  const late = new AbortController();
  // Not `AbortSignal.timeout`, which makes an error of each request, long after it was answered.
  const timer = setTimeout(() => late.abort(), ackTimeoutMs);
  try {
    // Not `fetch`, which takes three times as long: each action of each test is a request.
    const { statusCode: status, body: answer } = await send(url, {
      method: 'POST',
      body,
      headers,
      signal: late.signal,
    });
    const text = dataOf(await answer.text());
    const read = text === '' ? null : (parseJsonText(text) ?? text);
    const isOk = status >= 200 && status < 300;
    return { status, body: read, ...(!isOk && { failure: 'dispatch_failed' }) };
  } catch {
    return { status: 0, body: null, failure: late.signal.aborted ? 'operation_timeout' : 'dispatch_failed' };
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the data of an answer that is a stream with one event; any other answer as it is. */
function dataOf(text: string): string {
  return text.startsWith('event: message\n') ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
}

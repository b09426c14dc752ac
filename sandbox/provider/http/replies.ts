import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '../../lib/json.ts';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import { NestedErrorReply, type ProviderErrorReply } from './request-checks.ts';
import type { Arrival, MultipartPart } from './requests.ts';

/** A reply that is sent in full. */
export interface FullReply {
  kind: 'answer';
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** Delays the whole reply or the second half of its body, by the provider's `slowness` unless given. */
  pause?: { before: 'head' | 'rest'; milliseconds?: number };
}

/** The provider's reply to a request. */
export type Reply =
  | FullReply
  /** Cuts the connection halfway through the body that the headers announce. */
  | (Omit<FullReply, 'kind' | 'pause'> & { kind: 'half' })
  /** Holds the connection open without an answer. */
  | { kind: 'silence' }
  /** Cuts the connection without an answer. */
  | { kind: 'cut' };

export function jsonAnswer(status: number, body: Json, headers: Record<string, string> = {}): FullReply {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Splits a body at the point of a cut or a pause. */
function halves(body: string | Buffer): [Buffer, Buffer] {
  const bytes = Buffer.from(body);
  const middle = Math.floor(bytes.length / 2);
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
}

/** Creates a 200 with JSON. */
export function ok(body: Json): FullReply {
  return jsonAnswer(200, body);
}

/** Creates the error body that all operations share. The link is the path without `/api`. */
export function errorBody(status: number, message: string, path: string): JsonObject {
  return { code: status, message, status: 'error', link: `uri=${path.replace(/^\/api/, '')}` };
}

export function errorReply(refusal: ProviderErrorReply, path: string): FullReply {
  const { status, message, headers } = refusal;
  const answer = jsonAnswer(status, errorBody(status, message, path), headers);
  if (!(refusal instanceof NestedErrorReply)) {
    return answer;
  }
  const plain = { ...headers, 'content-type': 'text/plain' };
  return { ...answer, headers: plain, body: `${status} : "${answer.body}"` };
}

/** Sends a reply. Resolves when the connection is closed or the reply is sent. */
export async function sendReply(reply: Reply, response: ServerResponse, pace: Pace): Promise<void> {
  const closed = once(response, 'close');
  switch (reply.kind) {
    case 'silence':
      break;
    case 'cut':
      response.socket?.destroy();
      break;
    case 'half':
      writeHead(reply, response);
      response.write(halves(reply.body)[0], () => response.socket?.destroy());
      break;
    case 'answer':
      await sendAnswer(reply, response, pace);
  }
  await closed;
}

/** Resolves after the given milliseconds, or when the signal aborts because the client has left. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

interface Pace {
  /** The pause of a reply without one of its own, in milliseconds. */
  slowness: number;
  wait: Wait;
}

/** A day: longer than any client waits, and within the range of a timer. */
const maxWaitMs = 24 * 60 * 60 * 1000;

export const realWait: Wait = async (milliseconds, signal) => {
  await setTimeout(Math.min(milliseconds, maxWaitMs), undefined, { signal }).catch(() => {});
};

async function sendAnswer(answer: FullReply, response: ServerResponse, pace: Pace): Promise<void> {
  const { body, pause } = answer;
  const milliseconds = pause?.milliseconds ?? pace.slowness;
  const left = new AbortController();
  if (pause !== undefined) {
    response.once('close', () => left.abort());
  }
  if (pause?.before === 'head') {
    await pace.wait(milliseconds, left.signal);
  }
  writeHead(answer, response);
  if (pause?.before === 'rest') {
    const [first, rest] = halves(body);
    response.write(first);
    await pace.wait(milliseconds, left.signal);
    response.end(rest);
  } else {
    response.end(body);
  }
}

function writeHead({ status, headers, body }: Omit<FullReply, 'kind'>, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
}

/** Describes a request and its reply for the request log, with API keys and tokens masked. */
export function toLoggedRequest(
  arrival: Arrival,
  reply: Reply,
  { milliseconds, answered }: { milliseconds: number; answered: boolean },
): LoggedRequest {
  return {
    id: arrival.id,
    at: arrival.at,
    from: 'app',
    to: 'provider',
    what: `${arrival.method} ${arrival.path}`,
    request: describeRequest(arrival),
    ...describeReply(reply, answered),
    milliseconds,
  };
}

function describeRequest({ query, text, body, parts }: Arrival): Json {
  if (parts) {
    return Object.fromEntries(parts.map((part) => [part.name, describePart(part)]));
  }
  if (isJsonObject(body)) {
    return maskKey({ ...query, ...body });
  }
  if (body !== undefined) {
    return body;
  }
  // A key cannot be found reliably in text that is not JSON, so only the length is shown.
  return text === '' ? maskKey(query) : `${text.length} characters that are not JSON`;
}

function describePart({ filename, type, content }: MultipartPart): Json {
  if (filename !== undefined && type !== 'application/json') {
    return `${filename}, ${content.length} bytes`;
  }
  const fields = parseJsonText(content.toString('utf8'));
  return isJsonObject(fields) ? maskKey(fields) : `${content.length} bytes that are not a JSON object`;
}

function maskKey(fields: JsonObject): JsonObject {
  return 'api_key' in fields ? { ...fields, api_key: maskedKey(fields.api_key) } : fields;
}

function maskedKey(key: Json | undefined): string {
  return typeof key === 'string' && key.length > 12 ? `•••${key.slice(-4)}` : '•••';
}

function describeReply(reply: Reply, answered: boolean): { status: number | string; answer: Json } {
  switch (reply.kind) {
    case 'silence':
      return { status: 'no answer', answer: null };
    case 'cut':
      return { status: 'connection cut', answer: null };
    case 'half':
      return {
        status: `${reply.status}, cut in the middle`,
        answer: maskTokens(halves(reply.body)[0].toString()),
      };
    case 'answer':
      return {
        status: answered ? reply.status : `${reply.status}, but the client had left`,
        answer: readAnswer(reply.body),
      };
  }
}

function readAnswer(body: string | Buffer): Json {
  if (typeof body !== 'string') {
    return `${body.length} bytes`;
  }
  const shown = maskTokens(body);
  return parseJsonText(shown) ?? shown;
}

/** Masks everything that looks like a JWT, whole or cut. */
function maskTokens(text: string): string {
  return text.replace(/eyJ[\w-]+\.[\w.-]*/g, maskedKey);
}

import type { Json, JsonObject } from '../../lib/json.ts';
import { NestedErrorReply, type ProviderErrorReply } from './error-responses.ts';

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
export function halves(body: string | Buffer): [Buffer, Buffer] {
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

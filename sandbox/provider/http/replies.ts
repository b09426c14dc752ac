import type { Json, JsonObject } from '../../lib/json.ts';
import { NestedErrorReply, type ProviderErrorReply } from './error-responses.ts';

/** An answer that is sent whole. */
export interface FullReply {
  kind: 'answer';
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** What comes late, and by how many milliseconds: the provider's slowness where that is not said. */
  pause?: { before: 'head' | 'rest'; milliseconds?: number };
}

/** What the provider does with a request that it has read to the end. */
export type Reply =
  | FullReply
  /** The headers promise the whole body; the connection is cut halfway through it. */
  | (Omit<FullReply, 'kind' | 'pause'> & { kind: 'half' })
  /** The connection is held open, and nothing is ever said. */
  | { kind: 'silence' }
  /** The connection is cut without a word. */
  | { kind: 'cut' };

export function jsonAnswer(status: number, body: Json, headers: Record<string, string> = {}): FullReply {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** The part of a body that comes before a cut or a pause, and the rest. */
export function halves(body: string | Buffer): [Buffer, Buffer] {
  const bytes = Buffer.from(body);
  const middle = Math.floor(bytes.length / 2);
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
}

/** What nearly every success is: a 200 with JSON. */
export function ok(body: Json): FullReply {
  return jsonAnswer(200, body);
}

/** The error body of every operation: the number of the status, the words, and the path without `/api`. */
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

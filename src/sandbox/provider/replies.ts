import type { JsonObject } from '../slack/protocol.ts';
import type { Refusal } from './refusals.ts';

/** What the provider does with a request that it has read to the end. */
export type Reply =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: string; slow?: boolean }
  /** The headers promise the whole body; the connection is cut halfway through it. */
  | { kind: 'half'; status: number; headers: Record<string, string>; body: string }
  /** The connection is held open, and nothing is ever said. */
  | { kind: 'silence' }
  /** The connection is cut without a word. */
  | { kind: 'cut' };

export type Answer = Extract<Reply, { kind: 'answer' }>;

export function jsonAnswer(status: number, body: JsonObject, headers: Record<string, string> = {}): Answer {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** The error body of every operation: the number of the status, the words, and the path without `/api`. */
export function errorBody(status: number, message: string, path: string): JsonObject {
  return { code: status, message, status: 'error', link: `uri=${path.replace(/^\/api/, '')}` };
}

export function refusalReply(refusal: Refusal, path: string): Answer {
  return jsonAnswer(refusal.status, errorBody(refusal.status, refusal.message, path), refusal.headers);
}

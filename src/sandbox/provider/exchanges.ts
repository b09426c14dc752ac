import type { Exchange, Json } from '../slack/protocol.ts';
import { halves, type Reply } from './replies.ts';
import type { Arrival } from './requests.ts';

/** A request and its answer as the inspector shows them: without the key. */
export function describeExchange(
  arrival: Arrival,
  reply: Reply,
  { milliseconds, answered }: { milliseconds: number; answered: boolean },
): Exchange {
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

function describeRequest({ query, text, body }: Arrival): Json {
  if (body !== undefined) return maskKey(body);
  // A text that is not JSON cannot be searched for a key with certainty: only its length is shown.
  return text === '' ? maskKey(query) : `${text.length} characters that are not JSON`;
}

function maskKey(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return 'api_key' in value ? { ...value, api_key: maskedKey(value.api_key) } : value;
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
      return { status: `${reply.status}, cut in the middle`, answer: halves(reply.body)[0].toString() };
    case 'answer':
      return {
        status: answered ? reply.status : `${reply.status}, but the client had left`,
        answer: readAnswer(reply.body),
      };
  }
}

function readAnswer(body: string | Buffer): Json {
  if (typeof body !== 'string') return `${body.length} bytes`;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

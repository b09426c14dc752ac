import type { Exchange, Json } from '../slack/protocol.ts';
import type { Part } from './multipart.ts';
import { halves, type Reply } from './replies.ts';
import { type Arrival, readJson } from './requests.ts';

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

function describeRequest({ query, text, body, parts }: Arrival): Json {
  if (parts) return Object.fromEntries(parts.map((part) => [part.name, describePart(part)]));
  if (body !== undefined) return maskKey(body);
  // A text that is not JSON cannot be searched for a key with certainty: only its length is shown.
  return text === '' ? maskKey(query) : `${text.length} characters that are not JSON`;
}

function describePart({ filename, type, content }: Part): Json {
  if (filename !== undefined && type !== 'application/json') return `${filename}, ${content.length} bytes`;
  const fields = readJson(content.toString('utf8'));
  return fields === undefined ? `${content.length} bytes that are not JSON` : maskKey(fields);
}

function maskKey(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return 'api_key' in value ? { ...value, api_key: maskedKey(value.api_key) } : value;
}

function maskToken(answer: Json): Json {
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return answer;
  return 'token' in answer ? { ...answer, token: maskedKey(answer.token) } : answer;
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
        answer: maskToken(readAnswer(reply.body)),
      };
  }
}

function readAnswer(body: string | Buffer): Json {
  if (typeof body !== 'string') return `${body.length} bytes`;
  return readJson(body) ?? body;
}

import { isJsonObject, type Json, type JsonObject, parseJsonText } from '../../lib/json.ts';
import type { LoggedRequest } from '../../lib/logged-request.ts';
import type { MultipartPart } from './multipart.ts';
import { halves, type Reply } from './replies.ts';
import type { Arrival } from './requests.ts';

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
  return isJsonObject(fields) ? maskKey(fields) : `${content.length} bytes that are no JSON object`;
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

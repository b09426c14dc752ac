import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Json, parseJsonText } from '../../lib/json.ts';
import type { ProviderOperationName } from '../operation-names.ts';
import { type MultipartPart, readParts } from './multipart.ts';

/** A request as far as its head tells. */
export interface Head {
  id: string;
  /** ISO 8601. */
  at: string;
  method: string;
  path: string;
  /** A parameter that occurs more than once is an array, which no operation accepts. */
  query: Record<string, string | string[]>;
  headers: IncomingHttpHeaders;
}

/** A request that was read to its last byte, or was cut unread, whatever became of its answer. */
export interface Arrival extends Head {
  /** What the request asks for; missing where no operation has its method and path. */
  operation?: ProviderOperationName;
  /** The body as it came; empty where it was cut unread. */
  text: string;
  /** The body read as JSON; absent where it is none. */
  body?: Json;
  /** The body read as a multipart form; absent where it is none. */
  parts?: MultipartPart[];
}

export function readHead(request: IncomingMessage, now: Date): Head {
  const [, path = '', query] = /^([^?]*)\??(.*)$/s.exec(request.url ?? '') ?? [];
  return {
    id: randomUUID(),
    at: now.toISOString(),
    method: request.method ?? 'GET',
    path,
    query: readQuery(new URLSearchParams(query)),
    headers: request.headers,
  };
}

/** Rejects when the client leaves before the end of its body. */
export async function readArrival(request: IncomingMessage, head: Head): Promise<Arrival> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  const arrival: Arrival = { ...head, text };
  const body = parseJsonText(text);
  if (body !== undefined) {
    arrival.body = body;
  }
  const parts = readParts(bytes, head.headers['content-type']);
  if (parts) {
    arrival.parts = parts;
  }
  return arrival;
}

function readQuery(parameters: URLSearchParams): Arrival['query'] {
  const query: Arrival['query'] = {};
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return query;
}

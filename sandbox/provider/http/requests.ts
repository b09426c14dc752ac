import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Json, parseJsonText } from '../../lib/json.ts';
import type { ProviderOperationName } from '../operation-names.ts';
import { type MultipartPart, readParts } from './multipart.ts';

/** The head of a request. */
export interface Head {
  id: string;
  /** ISO 8601. */
  at: string;
  method: string;
  path: string;
  /** A repeated parameter is an array, which no operation accepts. */
  query: Record<string, string | string[]>;
  headers: IncomingHttpHeaders;
}

/** A request that was read to its end or cut unread. */
export interface Arrival extends Head {
  /** Missing when no operation has the method and path. */
  operation?: ProviderOperationName;
  /** The key of the account whose key or token it carries. Missing when it carries none that is known. */
  account?: string;
  /** The body as sent. Empty when it was cut unread. */
  text: string;
  /** The body parsed as JSON. Missing when it is not JSON. */
  body?: Json;
  /** The body parsed as a multipart form. Missing when it is none. */
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

/** Rejects when the client disconnects before the end of its body. */
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

import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Json } from '../slack/protocol.ts';

/** A request that was read to its last byte, whatever became of its answer. */
export interface Arrival {
  id: string;
  /** ISO 8601. */
  at: string;
  method: string;
  path: string;
  /** A parameter that occurs more than once is an array, which no operation accepts. */
  query: Record<string, string | string[]>;
  headers: IncomingHttpHeaders;
  /** The body as it came. */
  text: string;
  /** The body read as JSON; absent where it is none. */
  body?: Json;
}

/** Rejects when the client leaves before the end of its body. */
export async function readRequest(request: IncomingMessage, now: Date): Promise<Arrival> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider');
  const arrival: Arrival = {
    id: randomUUID(),
    at: now.toISOString(),
    method: request.method ?? 'GET',
    path: pathname,
    query: readQuery(searchParams),
    headers: request.headers,
    text,
  };
  const body = readJson(text);
  if (body !== undefined) arrival.body = body;
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

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

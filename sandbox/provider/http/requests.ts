import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Json, parseJsonText } from '../../lib/json.ts';
import type { ProviderOperationName } from '../operation-names.ts';

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

/** One part of a multipart form. */
export interface MultipartPart {
  name: string;
  /** Missing when the part is not a file. */
  filename?: string;
  /** The content type without parameters. Missing when the part has none. */
  type?: string;
  content: Buffer;
}

const blankLine = Buffer.from('\r\n\r\n');

/**
 * Parses a form (RFC 7578). Returns undefined for bytes that are not one. `Response.formData` drops the content type of
 * parts without a filename, which the provider checks.
 */
function readParts(bytes: Buffer, contentType: string | undefined): MultipartPart[] | undefined {
  const boundary = /^multipart\/form-data;.*\bboundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '');
  if (!boundary) {
    return undefined;
  }
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`);
  const parts: MultipartPart[] = [];
  // The first delimiter has no line before it.
  let rest = Buffer.concat([Buffer.from('\r\n'), bytes]);
  if (!rest.subarray(0, delimiter.length).equals(delimiter)) {
    return undefined;
  }
  for (;;) {
    rest = rest.subarray(delimiter.length);
    if (/^--(?:\r\n)?$/.test(rest.subarray(0, 5).toString('latin1'))) {
      return parts;
    }
    const end = rest.indexOf(delimiter);
    const part = end < 0 ? undefined : readPart(rest.subarray(0, end));
    if (!part) {
      return undefined;
    }
    parts.push(part);
    rest = rest.subarray(end);
  }
}

/** Parses a part, which begins after its delimiter. */
function readPart(bytes: Buffer): MultipartPart | undefined {
  const blank = bytes.indexOf(blankLine);
  if (blank < 0 || !bytes.subarray(0, 2).equals(blankLine.subarray(0, 2))) {
    return undefined;
  }
  const headers = readHeaders(bytes.subarray(2, blank).toString('utf8'));
  const disposition = headers.get('content-disposition') ?? '';
  const name = /^form-data;.*\bname="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) {
    return undefined;
  }
  const filename = /\bfilename="([^"]*)"/i.exec(disposition)?.[1];
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return {
    name,
    ...(filename !== undefined && { filename }),
    ...(type !== undefined && { type }),
    content: bytes.subarray(blank + blankLine.length),
  };
}

function readHeaders(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

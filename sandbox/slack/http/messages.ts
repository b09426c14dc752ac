import type { IncomingMessage, ServerResponse } from 'node:http';

const MAX_BODY_BYTES = 120 * 1024 * 1024;

/** Reads the body of a request. Throws above 120 MB. */
export async function readRequestBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      throw new Error('The body is too large.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function respondJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

/** Returns the media type without parameters, in lower case. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether a browser sent the request from a page of another origin. */
export function isCrossOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  return origin !== undefined && origin !== `http://${host}`;
}

/** Whether the `Host` header names loopback. Protects against DNS rebinding. */
export function isForLoopback(request: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(request.headers.host ?? '');
}

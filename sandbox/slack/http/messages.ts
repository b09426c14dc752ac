import type { IncomingMessage, ServerResponse } from 'node:http';

const LARGEST_BODY = 120 * 1024 * 1024;

/** The whole body of a request. Throws beyond what Slack takes of a file. */
export async function readRequestBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY) {
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

/** The media type alone, without its parameters, in lower case. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether a browser sent the request for a page of another site. */
export function isCrossOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  return origin !== undefined && origin !== `http://${host}`;
}

/** Whether the request was addressed to this machine by a name that means it; keeps out rebound DNS names. */
export function isForLoopback(request: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(request.headers.host ?? '');
}

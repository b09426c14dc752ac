import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { withLogFields } from '../../lib/log-fields.ts';
import type { HttpRoute } from '../../web/server.ts';
import type { VerifySignature } from './receiver.ts';
import type { ToolDeps } from './slackbot-server.ts';

/** What a tool takes is typed, and short. */
const maxBodyBytes = 64 * 1024;
/** On an instance: with more, commands would have to wait. */
const maxInFlight = 50;

/**
 * `POST /mcp`: the tools, for Slackbot. Slack signs each request, and names the user in it. The protocol is loaded with the
 * first request: most installations never get one.
 */
export function slackbotRoute(deps: ToolDeps & { verify: VerifySignature }): HttpRoute {
  let inFlight = 0;

  async function answer(request: Request, signature: string, response: ServerResponse): Promise<void> {
    const { answerTools } = await import('./slackbot-server.ts');
    const answered = await withLogFields({ request: randomBytes(6).toString('hex') }, () =>
      answerTools(deps, request, signature),
    );
    const body = Buffer.from(await answered.arrayBuffer());
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(body);
  }

  async function handle(request: IncomingMessage, response: ServerResponse, rawBody: Buffer): Promise<void> {
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
      response.writeHead(415).end();
      return;
    }
    const signature = deps.verify(request, rawBody);
    if (signature === undefined) {
      response.writeHead(401).end();
      return;
    }
    // A list of calls would be one request. The protocol no longer has lists.
    if (rawBody.toString().trimStart().startsWith('[')) {
      response.writeHead(400).end();
      return;
    }
    if (inFlight >= maxInFlight) {
      response.writeHead(503).end();
      return;
    }
    inFlight += 1;
    await answer(toRequest(request, rawBody), signature, response).finally(() => {
      inFlight -= 1;
    });
  }

  return { method: 'POST', path: '/mcp', maxBodyBytes, handle };
}

function toRequest({ headers }: IncomingMessage, body: Buffer): Request {
  const singleHeaders = Object.entries(headers).filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  // The address has no meaning: only this route's path gets here.
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: singleHeaders,
    body: new Uint8Array(body),
  });
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { request as forward } from 'undici';
import { isJsonObject, type Json, objectAt, parseJsonText } from '../../../sandbox/lib/json.ts';
import { signed } from './signed-request.ts';

/**
 * Starts a proxy that does what Slack does for Slackbot: it says in each request who asks, signs it, and passes it on.
 * Resolves with its address.
 */
export async function startSigningProxy(
  test: { after(end: () => void): void },
  { to, secret, identity }: { to: string; secret: string; identity: { user_id: string; team_id: string } },
): Promise<string> {
  const server = createServer(async (request, response) => {
    const sent = (await buffer(request)).toString();
    const body = withIdentity(parseJsonText(sent), identity) ?? sent;
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await forward(`${to}${request.url}`, {
      method: request.method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers, ...signed(secret, body, headers['content-type'] ?? '') },
      ...(body !== '' && { body }),
    });
    response.writeHead(answer.statusCode, answer.headers).end(await buffer(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

function withIdentity(
  call: Json | undefined,
  slack: { user_id: string; team_id: string },
): string | undefined {
  if (!isJsonObject(call) || call.method !== 'tools/call') {
    return undefined;
  }
  const params = objectAt(call, 'params') ?? {};
  return JSON.stringify({ ...call, params: { ...params, _meta: { ...objectAt(params, '_meta'), slack } } });
}

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { text } from 'node:stream/consumers';
import { announcePort } from './support/announce-port.ts';
import { teamId } from './support/workspace.ts';

/**
 * The part of Slack's Web API that the measured commands call: it accepts everything at once, and like Slack returns an
 * opened view whole. `GET /seen` returns what was opened.
 */
let opened = 0;
let lastView = '';

const answers: Record<string, (body: string) => string> = {
  '/seen': () => JSON.stringify({ opened, lastView }),
  '/api/auth.test': () => JSON.stringify({ ok: true, team_id: teamId, user_id: 'U0BOT', bot_id: 'B0BOT' }),
  '/api/users.info': (body) =>
    JSON.stringify({ ok: true, user: { id: parse(body).user, team_id: teamId, is_admin: false } }),
  '/api/views.open': (body) => {
    opened += 1;
    lastView = String(parse(body).view);
    return `{"ok":true,"view":{"id":"V${opened}","team_id":"${teamId}","hash":"1.1",${lastView.slice(1)}}`;
  },
  '/api/conversations.open': () => '{"ok":true,"channel":{"id":"D0BENCH"}}',
  '/api/chat.postMessage': () => '{"ok":true,"channel":"D0BENCH","ts":"1.1"}',
  '/api/chat.update': () => '{"ok":true,"channel":"D0BENCH","ts":"1.1"}',
  '/response': () => '{"ok":true}',
};

async function answer(request: IncomingMessage): Promise<string> {
  const body = await text(request);
  return answers[request.url ?? '']?.(body) ?? '{"ok":false,"error":"unknown_method"}';
}

const server = createServer(async (request, response) => {
  const json = await answer(request);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
  response.end(json);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announcePort(server);

import { once } from 'node:events';
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { announcePort } from './support/announce-port.ts';
import { evilCsv } from './support/evil-files.ts';
import { teamId } from './support/workspace.ts';

/**
 * The part of Slack's Web API that the measured commands call. It answers immediately, returns the whole
 * opened view, and applies Slack's limits to messages. `GET /files?name=…&seconds=5` is a worst-case file,
 * with `&size=…` of that many bytes. `GET /seen` returns what was opened, and how many calls about messages
 * were made and refused.
 */
let opened = 0;
let lastView = '';
const seen = { messages: 0, refused: 0 };

const minute = 60_000;
/**
 * Calls of a minute in a workspace, or in a channel. Slack: chat.update and conversations.open are tier 3, “50+ per minute”;
 * chat.postMessage takes “1 per second” in a channel, and short bursts.
 */
const limits: Record<string, { calls: number; of: (body: string) => unknown }> = {
  '/api/chat.update': { calls: 50, of: () => 'all' },
  '/api/conversations.open': { calls: 50, of: () => 'all' },
  '/api/chat.postMessage': { calls: 60, of: (body) => parse(body).channel },
};
const made = new Map<string, number[]>();

/** Counts a call about messages. Returns whether it is one too many. */
function isTooMany(url: string, body: string): boolean {
  const limit = limits[url];
  if (limit === undefined) {
    return false;
  }
  const name = `${url} ${limit.of(body)}`;
  const now = performance.now();
  const recent = (made.get(name) ?? []).filter((at) => at > now - minute);
  const isRefused = recent.length >= limit.calls;
  made.set(name, isRefused ? recent : [...recent, now]);
  seen.messages += 1;
  seen.refused += isRefused ? 1 : 0;
  return isRefused;
}

const answers: Record<string, (body: string) => string> = {
  '/seen': () => JSON.stringify({ opened, lastView, ...seen }),
  '/api/api.test': () => '{"ok":true}',
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

const server = createServer(async (request, response) => {
  const body = await text(request);
  const { url = '' } = request;
  const { pathname, searchParams } = new URL(url, 'http://slack');
  if (pathname === '/files') {
    const size = searchParams.get('size');
    const file = evilCsv(searchParams.get('name') ?? '', {
      seconds: Number(searchParams.get('seconds')),
      size: size === null ? undefined : Number(size),
    });
    // The reader may stop in the middle.
    await pipeline(Readable.from(file), response).catch(() => {});
    return;
  }
  if (isTooMany(url, body)) {
    response.writeHead(429, { 'retry-after': '30' }).end('{"ok":false,"error":"ratelimited"}');
    return;
  }
  const json = answers[url]?.(body) ?? '{"ok":false,"error":"unknown_method"}';
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
  response.end(json);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announcePort(server);

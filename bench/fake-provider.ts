import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { announcePort } from './support/announce-port.ts';

/**
 * The part of the provider that the measured calls use: it accepts every message, and counts. `GET /seen`
 * returns the number of recipients so far; `GET /slow?milliseconds=20` delays the responses from then on;
 * `GET /arrived?after=` returns what arrived after a time of the last seconds, in milliseconds since 1970; and `GET /sent`
 * returns some of the latest bulk messages, each once.
 */
let delayMs = 0;
let recipients = 0;
/** The latest arrivals, the oldest first. */
let arrivals: { at: number; recipients: number }[] = [];
const maxArrivals = 10_000;
/** Not asked about so far, the oldest first. */
let sent: { id: string; to: string[] }[] = [];
const maxSent = 1_000;
const sentAtOnce = 25;
let messages = 0;

function arrive(count: number, to?: string[]): string {
  recipients += count;
  messages += 1;
  const id = `30175${String(messages).padStart(20, '0')}`;
  arrivals.push({ at: performance.timeOrigin + performance.now(), recipients: count });
  if (arrivals.length > maxArrivals) {
    arrivals = arrivals.slice(-maxArrivals / 2);
  }
  if (to !== undefined) {
    sent.push({ id, to });
  }
  if (sent.length > maxSent) {
    sent = sent.slice(-maxSent / 2);
  }
  return (
    `{"code":"ok","balance":2499.96,"message_id":"${id}",` +
    `"message":"Successfully Sent","user":"Palm Market","message_id_str":"${id}"}`
  );
}

const answers: Record<string, (body: string, query: URLSearchParams) => string> = {
  '/api/sms/send': () => arrive(1),
  '/api/sms/send/bulk': (body) => {
    const { to } = JSON.parse(body);
    return arrive(to.length, to);
  },
  '/api/sender-id': () => '{"content":[{"sender_id":"PalmMarket","status":"active","country":"Nigeria"}]}',
  '/api/check/dnd': () => '{"status":"DND not active","dnd_active":false}',
  '/slow': () => '{}',
  '/seen': () => JSON.stringify({ recipients }),
  '/sent': () => JSON.stringify(sent.splice(-sentAtOnce)),
  '/arrived': (_body, query) => {
    const late = arrivals.filter(({ at }) => at > Number(query.get('after')));
    return JSON.stringify({
      recipients: late.reduce((sum, each) => sum + each.recipients, 0),
      lastAt: late.at(-1)?.at ?? 0,
    });
  },
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bench');
  const body = await text(request);
  if (pathname === '/slow') {
    delayMs = Number(searchParams.get('milliseconds'));
  }
  const isPost = request.method === 'POST';
  const answer = answers[pathname];
  if (answer === undefined || (isPost && !body.includes('"api_key":'))) {
    response.writeHead(400).end();
    return;
  }
  const json = answer(body, searchParams);
  if (pathname.startsWith('/api/') && delayMs > 0) {
    await wait(delayMs);
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length });
  response.end(json);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announcePort(server);

import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { announcePort } from './support/announce-port.ts';

/**
 * The part of the provider that the measured calls use: it accepts every message, and counts. `GET /seen`
 * returns the number of recipients so far; `GET /slow?milliseconds=20` delays the responses from then on.
 */
let delayMs = 0;
let recipients = 0;

const accepted =
  '{"code":"ok","balance":2499.96,"message_id":"3017500000000000000000001",' +
  '"message":"Successfully Sent","user":"Palm Market","message_id_str":"3017500000000000000000001"}';

const answers: Record<string, (body: string) => string> = {
  '/api/sms/send': () => {
    recipients += 1;
    return accepted;
  },
  '/api/sms/send/bulk': (body) => {
    recipients += JSON.parse(body).to.length;
    return accepted;
  },
  '/api/sender-id': () => '{"content":[]}',
  '/api/check/dnd': () => '{"status":"DND not active","dnd_active":false}',
  '/slow': () => '{}',
  '/seen': () => JSON.stringify({ recipients }),
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
  if (pathname.startsWith('/api/') && delayMs > 0) {
    await wait(delayMs);
  }
  const json = answer(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length });
  response.end(json);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announcePort(server);

import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { sayReady } from './support/ready.ts';

/** As much of a provider as a call under measurement meets: it takes every message, as fast as can be. */
const server = createServer(async (request, response) => {
  const body = await text(request);
  if (request.url !== '/api/sms/send' || !body.includes('"api_key":')) {
    response.writeHead(400).end();
    return;
  }
  const answer =
    '{"code":"ok","balance":2499.96,"message_id":"3017500000000000000000001",' +
    '"message":"Successfully Sent","user":"Palm Market","message_id_str":"3017500000000000000000001"}';
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
  response.end(answer);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
sayReady(server);

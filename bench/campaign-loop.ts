import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { announcePort } from './support/announce-port.ts';
import { digitsOf } from './support/recipients.ts';

/**
 * What a campaign is compared with: loops that post chunks of a hundred recipients with undici's `request`, and store
 * nothing. `GET /?rows=1000` sends to that many recipients and returns how long it took.
 */
const { PROVIDER_URL, LOOPS } = z
  .object({ PROVIDER_URL: z.url(), LOOPS: z.coerce.number() })
  .parse(process.env);
const dispatcher = new Agent({ connections: LOOPS, pipelining: 1 });
const url = new URL('/api/sms/send/bulk', PROVIDER_URL);
const size = 100;

async function send(to: readonly string[]): Promise<void> {
  const { statusCode, body } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      to,
      from: 'PalmMarket',
      sms: 'Your order is on its way.',
      channel: 'dnd',
      type: 'plain',
      api_key: 'bench-key-41c7d90be2',
    }),
  });
  const answer: unknown = await body.json();
  if (
    statusCode !== 200 ||
    typeof answer !== 'object' ||
    answer === null ||
    !('code' in answer) ||
    answer.code !== 'ok'
  ) {
    throw new Error('A chunk was not accepted.');
  }
}

async function sendAll(rows: number): Promise<number> {
  const chunks = Array.from({ length: Math.ceil(rows / size) }, (_, chunk) =>
    Array.from({ length: size }, (_, index) => digitsOf(chunk * size + index)),
  );
  const begin = performance.now();
  const loop = async () => {
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) {
      await send(chunk);
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
  return performance.now() - begin;
}

const server = createServer(async ({ url = '' }, response) => {
  const rows = Number(new URL(url, 'http://bench').searchParams.get('rows'));
  response.end(JSON.stringify({ milliseconds: await sendAll(rows) }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announcePort(server);

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { Secret } from '../src/lib/secret.ts';
import { createProvider } from '../src/provider/client.ts';
import { announcePort } from './support/announce-port.ts';

/**
 * One of the two sides of `client.ts`: repeats one call with the provider's client (`SIDE=client`) or with undici's
 * `request` alone (`SIDE=bare`). `GET /?seconds=2` runs a round and returns its figures.
 */
const settings = z
  .object({ SIDE: z.enum(['client', 'bare']), PROVIDER_URL: z.url(), LOOPS: z.coerce.number() })
  .parse(process.env);
const loops = settings.LOOPS;
const baseUrl = new URL(settings.PROVIDER_URL);
const key = 'bench-key-41c7d90be2';
const message = { to: '2348030000011', from: 'PalmMarket', text: 'Your order is on its way.' };

/** Returns a function that makes one call and resolves to whether the message was accepted. */
function callOf(side: 'client' | 'bare'): () => Promise<boolean> {
  if (side === 'client') {
    const provider = createProvider({
      baseUrl,
      connections: loops,
      concurrencyPerAccount: loops,
      connectTimeout: 5000,
      headersTimeout: 30_000,
      bodyTimeout: 15_000,
      totalTimeout: 45_000,
      dialect: { chatChannel: 'chatapp' },
    });
    const { messages } = provider.account(new Secret(key));
    return async () => (await messages.send({ ...message, route: 'dnd' })).kind === 'accepted';
  }
  const dispatcher = new Agent({ connections: loops, pipelining: 1 });
  const url = new URL('/api/sms/send', baseUrl);
  return async () => {
    const { statusCode, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({
        to: message.to,
        from: message.from,
        sms: message.text,
        channel: 'dnd',
        type: 'plain',
        api_key: key,
      }),
    });
    const answer: unknown = await body.json();
    return (
      statusCode === 200 &&
      typeof answer === 'object' &&
      answer !== null &&
      'code' in answer &&
      answer.code === 'ok'
    );
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const call = callOf(settings.SIDE);

/** Calls for some seconds, in several loops at once. Throws when a message was not accepted. */
async function round(seconds: number) {
  let calls = 0;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const loop = async () => {
    while (performance.now() < end) {
      if (!(await call())) {
        throw new Error('A message was not accepted.');
      }
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
  const took = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  const { rss } = process.memoryUsage();
  collectGarbage();
  return {
    rate: (calls / took) * 1000,
    cpu: (user + system) / calls,
    rss: rss / 2 ** 20,
    heap: process.memoryUsage().heapUsed / 2 ** 20,
  };
}

const server = createServer(async ({ url = '' }, response) => {
  const seconds = Number(new URL(url, 'http://bench').searchParams.get('seconds'));
  response.end(JSON.stringify(await round(seconds)));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
announcePort(server);

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { half } from './exchanges.ts';
import type { Reply } from './replies.ts';

/** Sends a reply, or does not, as it says. Resolves when the connection needs nothing more. */
export async function sendReply(reply: Reply, response: ServerResponse, slowness: number): Promise<void> {
  const closed = once(response, 'close');
  switch (reply.kind) {
    case 'silence':
      break;
    case 'cut':
      response.socket?.destroy();
      break;
    case 'half':
      writeHead(reply, response);
      response.write(half(reply.body), () => response.socket?.destroy());
      break;
    case 'answer':
      if (reply.slow) await slowly(response, slowness);
      writeHead(reply, response);
      response.end(reply.body);
  }
  await closed;
}

function writeHead(
  { status, headers, body }: Extract<Reply, { body: string }>,
  response: ServerResponse,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
}

/** Waits, but no longer than the client does. */
async function slowly(response: ServerResponse, slowness: number): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  await wait(slowness, undefined, { signal: left.signal }).catch(() => {});
}

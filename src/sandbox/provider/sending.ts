import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Answer, halves, type Reply } from './replies.ts';

/** Sends a reply, or does not, as it says. Resolves when the connection needs nothing more. */
export async function sendReply(reply: Reply, response: ServerResponse, wait: Wait): Promise<void> {
  const closed = once(response, 'close');
  switch (reply.kind) {
    case 'silence':
      break;
    case 'cut':
      response.socket?.destroy();
      break;
    case 'half':
      writeHead(reply, response);
      response.write(halves(reply.body)[0], () => response.socket?.destroy());
      break;
    case 'answer':
      await sendAnswer(reply, response, wait);
  }
  await closed;
}

/** Lets so many milliseconds pass, or the provider's slowness. Resolves when the signal aborts: the client left. */
export type Wait = (milliseconds: number | undefined, signal: AbortSignal) => Promise<void>;

async function sendAnswer(answer: Answer, response: ServerResponse, wait: Wait): Promise<void> {
  const { body, pause } = answer;
  const left = new AbortController();
  response.once('close', () => left.abort());
  if (pause?.before === 'head') await wait(pause.milliseconds, left.signal);
  writeHead(answer, response);
  if (pause?.before === 'rest') {
    const [first, rest] = halves(body);
    response.write(first);
    await wait(pause.milliseconds, left.signal);
    response.end(rest);
  } else {
    response.end(body);
  }
}

function writeHead({ status, headers, body }: Omit<Answer, 'kind'>, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
}

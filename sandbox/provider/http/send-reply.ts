import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type FullReply, halves, type Reply } from './replies.ts';

/** Sends a reply. Resolves when the connection is closed or the reply is sent. */
export async function sendReply(reply: Reply, response: ServerResponse, pace: Pace): Promise<void> {
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
      await sendAnswer(reply, response, pace);
  }
  await closed;
}

/** Resolves after the given milliseconds, or when the signal aborts because the client has left. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

interface Pace {
  /** The pause of a reply without one of its own, in milliseconds. */
  slowness: number;
  wait: Wait;
}

/** A day: longer than any client waits, and within the range of a timer. */
const maxWaitMs = 24 * 60 * 60 * 1000;

export const realWait: Wait = async (milliseconds, signal) => {
  await setTimeout(Math.min(milliseconds, maxWaitMs), undefined, { signal }).catch(() => {});
};

async function sendAnswer(answer: FullReply, response: ServerResponse, pace: Pace): Promise<void> {
  const { body, pause } = answer;
  const milliseconds = pause?.milliseconds ?? pace.slowness;
  const left = new AbortController();
  response.once('close', () => left.abort());
  if (pause?.before === 'head') {
    await pace.wait(milliseconds, left.signal);
  }
  writeHead(answer, response);
  if (pause?.before === 'rest') {
    const [first, rest] = halves(body);
    response.write(first);
    await pace.wait(milliseconds, left.signal);
    response.end(rest);
  } else {
    response.end(body);
  }
}

function writeHead({ status, headers, body }: Omit<FullReply, 'kind'>, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
}

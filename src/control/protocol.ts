import { once } from 'node:events';
import type { Socket } from 'node:net';
import { z } from 'zod';

/** What a terminal sends: first a request, then at most one `stop`. JSON, one message a line. */
export const requestSchema = z.object({ command: z.string(), input: z.unknown() });
export const stopSchema = z.object({ stop: z.literal(true) });

export type TerminalMessage = z.infer<typeof requestSchema> | z.infer<typeof stopSchema>;

/** What the program sends: lines to show, and at last the exit code. */
export const programMessageSchema = z.union([
  z.object({ out: z.string() }),
  z.object({ err: z.string() }),
  z.object({ exit: z.int() }),
]);

export type ProgramMessage = z.infer<typeof programMessageSchema>;

/** Bytes of a line, in each direction: more than any command needs. */
export const maxRequestBytes = 64 * 1024;
export const maxOutputBytes = 4 * 1024 * 1024;

const lineFeed = 0x0a;

/**
 * Returns the JSON of each line, up to the end of the connection. What follows the last line feed is no line: it was cut
 * off.
 *
 * @throws SyntaxError for a line that is not JSON, RangeError for one of more than `maxBytes`
 */
export async function* readMessages(socket: Socket, maxBytes: number): AsyncGenerator<unknown> {
  let pieces: Buffer[] = [];
  let held = 0;
  for await (const chunk of socket) {
    let rest: Buffer = chunk;
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      pieces.push(rest.subarray(0, end));
      if (held + end > maxBytes) {
        throw tooLong(maxBytes);
      }
      yield JSON.parse(Buffer.concat(pieces).toString('utf8'));
      rest = rest.subarray(end + 1);
      pieces = [];
      held = 0;
    }
    pieces.push(rest);
    held += rest.length;
    if (held > maxBytes) {
      throw tooLong(maxBytes);
    }
  }
}

/** Resolves once there is room for the next message, or nobody is there to read it. */
export async function writeMessage(socket: Socket, message: TerminalMessage | ProgramMessage): Promise<void> {
  if (!socket.writable || socket.write(`${JSON.stringify(message)}\n`)) {
    return;
  }
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {});
  settled.abort();
}

function tooLong(maxBytes: number): RangeError {
  return new RangeError(`A line has more than ${maxBytes} bytes`);
}

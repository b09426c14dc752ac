import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { StartupError } from '../lib/startup-error.ts';
import type { CommandContext } from './command.ts';
import { maxOutputBytes, programMessageSchema, readMessages, writeMessage } from './protocol.ts';
import { withSocketPath } from './socket-path.ts';

/** What a connection fails with where no program serves the folder: the socket of one that crashed refuses. */
const notServed = ['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ENOTSOCK'];

/**
 * Asks the program that runs on a data folder for a command, and shows what it says. Aborting the signal asks it to stop;
 * what it says then is still shown.
 *
 * @returns the exit code; undefined when no program runs there
 * @throws StartupError when it must not be asked, being another user's
 */
export async function askProgram(
  dataDir: string,
  request: { command: string; input: unknown },
  context: CommandContext,
): Promise<number | undefined> {
  const socket = await connectTo(dataDir);
  if (socket === undefined) {
    return undefined;
  }
  const stop = () => void writeMessage(socket, { stop: true });
  context.signal.addEventListener('abort', stop);
  try {
    await writeMessage(socket, request);
    if (context.signal.aborted) {
      stop();
    }
    return (await showOutput(socket, context)) ?? (await brokenOff(context));
  } catch {
    return brokenOff(context);
  } finally {
    context.signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

async function connectTo(dataDir: string): Promise<Socket | undefined> {
  try {
    return await withSocketPath(dataDir, async (path) => {
      const socket = connect(path);
      await once(socket, 'connect');
      // What breaks later ends the reading.
      socket.on('error', () => {});
      return socket;
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && notServed.includes(String(error.code))) {
      return undefined;
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `The program that runs on ${dataDir} cannot be asked: ${reason}. Run this as the user that runs the program.`,
    );
  }
}

/** Returns the exit code; undefined where the connection ended before there was one. */
async function showOutput(socket: Socket, { print, warn }: CommandContext): Promise<number | undefined> {
  for await (const message of readMessages(socket, maxOutputBytes)) {
    const read = programMessageSchema.parse(message);
    if ('exit' in read) {
      return read.exit;
    }
    await ('out' in read ? print(read.out) : warn(read.err));
  }
  return undefined;
}

async function brokenOff({ warn }: CommandContext): Promise<number> {
  await warn('The program stopped before it was done. Run this again to continue.');
  return 1;
}

import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Log } from '../lib/log.ts';
import { withTimeout } from '../lib/time/timeout.ts';
import type { Timers } from '../lib/time/timers.ts';
import { type CommandContext, type ControlCommand, UnreadableInput } from './command.ts';
import { explain } from './explain.ts';
import {
  maxRequestBytes,
  type ProgramMessage,
  readMessages,
  requestSchema,
  stopSchema,
  writeMessage,
} from './protocol.ts';
import { controlSocketPath, withSocketPath } from './socket-path.ts';

export interface ControlServer {
  /** Stops the commands that run, waits for them, and removes the socket. */
  close(): Promise<void>;
}

interface ControlOptions {
  dataDir: string;
  commands: readonly ControlCommand[];
  timers: Timers;
  log: Log;
}

/** Terminals at once. */
const maxConnections = 8;
/** How long a terminal may take for its request. */
const requestTimeoutMs = 5_000;
/** How long a terminal may take to read the end of its output when the program stops. */
const stopTimeoutMs = 2_000;

const otherVersion =
  'The program that runs is of another version than this command. Restart the program, then run this again.';

/**
 * Serves commands to terminals of this machine, over a socket in the data folder that only the user of the program can
 * open. The caller holds the folder's lock: a socket that is there already is that of a program that crashed.
 *
 * Where there can be no socket, such as on a file system without them, the log says so, and commands have to wait until
 * the program is stopped.
 */
export async function serveControl(options: ControlOptions): Promise<ControlServer> {
  const { dataDir, log } = options;
  const stopping = new AbortController();
  const connections = new Map<Socket, Promise<void>>();
  const serve = createConnectionHandler(options, stopping.signal);
  const server = createServer((socket) => {
    const served = serve(socket);
    connections.set(socket, served);
    socket.once('close', () => connections.delete(socket));
  });
  server.maxConnections = maxConnections;
  const remove = () => rmSync(controlSocketPath(dataDir), { force: true });
  try {
    remove();
    await withSocketPath(dataDir, (path) => listen(server, path));
    chmodSync(controlSocketPath(dataDir), 0o600);
  } catch (error) {
    log.warn({ err: error }, 'commands such as erase cannot reach the running program');
  }
  server.on('error', (error) => log.warn({ err: error }, 'the socket for commands failed'));

  return {
    async close() {
      stopping.abort();
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      const ended = Promise.all(connections.values());
      // A terminal that is stopped itself reads nothing, and would keep what is written to it waiting.
      await withTimeout<unknown>(ended, stopTimeoutMs, () => undefined, options.timers);
      for (const socket of connections.keys()) {
        socket.destroy();
      }
      await ended;
      await closed;
      remove();
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

/** Returns what serves one terminal. It never throws. */
function createConnectionHandler(
  { commands, timers, log }: ControlOptions,
  stopping: AbortSignal,
): (socket: Socket) => Promise<void> {
  const running = new Set<string>();

  async function run(request: unknown, context: CommandContext): Promise<number> {
    const { data } = requestSchema.safeParse(request);
    const command = commands.find(({ name }) => name === data?.command);
    if (command === undefined) {
      await context.warn(otherVersion);
      return 1;
    }
    if (running.has(command.name)) {
      await context.warn(
        `${command.name} is already running, begun in another terminal. Wait until it has ended.`,
      );
      return 1;
    }
    running.add(command.name);
    try {
      return await command.run(data?.input, context);
    } catch (error) {
      await context.warn(describe(error, command.name));
      return 1;
    } finally {
      running.delete(command.name);
    }
  }

  function describe(error: unknown, command: string): string {
    if (error instanceof UnreadableInput) {
      return otherVersion;
    }
    const explanation = explain(error);
    if (explanation === undefined) {
      log.error({ err: error, command }, 'a command failed');
    }
    return explanation ?? `${command} failed. The program’s log says why.`;
  }

  return async (socket) => {
    const left = new AbortController();
    socket.on('error', () => {});
    socket.once('close', () => left.abort());
    const send = (message: ProgramMessage) => writeMessage(socket, message);
    const messages = readMessages(socket, maxRequestBytes);
    try {
      const first = await withTimeout(messages.next(), requestTimeoutMs, () => undefined, timers);
      if (first?.done !== false) {
        return;
      }
      void abortWhenAsked(messages, left);
      const exit = await run(first.value, {
        signal: AbortSignal.any([left.signal, stopping]),
        print: (out) => send({ out }),
        warn: (err) => send({ err }),
      });
      await send({ exit });
      socket.end();
    } catch {
      // It sent no request.
    } finally {
      socket.destroySoon();
    }
  };
}

/** Aborts once the terminal asks for it, is gone, or sends what nobody expects. Reads on: its output is not yet out. */
async function abortWhenAsked(messages: AsyncGenerator<unknown>, left: AbortController): Promise<void> {
  try {
    for await (const message of messages) {
      if (stopSchema.safeParse(message).success) {
        left.abort();
      }
    }
  } catch {
    // It is gone.
  }
  left.abort();
}

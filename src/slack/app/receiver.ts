import type { Receiver } from '@slack/bolt';
import type { Settings } from '../../config/settings.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { eventsRoute } from './http/events.ts';
import { createHttpServer, type HttpRoute } from './http/server.ts';
import { createSocket } from './socket/socket.ts';
import { listenError } from './startup-errors.ts';

/** Where requests come in, over HTTP or over a socket; health is served over HTTP in both. */
export interface SlackReceiver {
  receiver: Receiver;
  /** Whether requests can come in. */
  isOpen(): boolean;
  /** Resolves with the port. */
  open(): Promise<number>;
  close(): Promise<void>;
}

export function createReceiver(
  settings: Settings,
  health: readonly HttpRoute[],
  log: Log,
  elapsed: Stopwatch,
): SlackReceiver {
  const { slack, host, port } = settings;
  const logger = createBoltLogger(log);
  if (slack.transport === 'http') {
    const path = '/slack/events';
    const events = eventsRoute({ path, signingSecret: slack.signingSecret.reveal(), logger, log });
    const server = createHttpServer([...health, events.route], log);
    return {
      receiver: events.receiver,
      isOpen: () => true,
      open: () => server.listen(host, port).catch(cannotListen),
      close: () => server.close(),
    };
  }
  const socket = createSocket(slack, logger, log, elapsed);
  const server = createHttpServer(health, log);
  return {
    receiver: socket.receiver,
    isOpen: socket.isOpen,
    async open() {
      const router = await server.listen(host, port).catch(cannotListen);
      try {
        await socket.open();
      } catch (error) {
        await server.close();
        throw error;
      }
      return router;
    },
    async close() {
      await Promise.all([socket.close(), server.close()]);
    },
  };

  function cannotListen(error: unknown): never {
    throw listenError(host, port, error);
  }
}

import type { Logger, Receiver } from '@slack/bolt';
import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { eventsRoute } from './http/events.ts';
import { createHttpServer, type HttpRoute } from './http/server.ts';
import { createSocket } from './socket/socket.ts';
import { listenError } from './startup-errors.ts';

/** Receives Slack's requests, over HTTP or over a socket; health is served over HTTP with both. */
export interface SlackReceiver {
  receiver: Receiver;
  /** Whether requests can be received. */
  isOpen(): boolean;
  /** Resolves with the port. */
  open(): Promise<number>;
  close(): Promise<void>;
}

export function createReceiver(options: {
  settings: Settings;
  health: readonly HttpRoute[];
  logger: Logger;
  log: Log;
  elapsed: Stopwatch;
  timers: Timers;
}): SlackReceiver {
  const { settings, health, logger, log, elapsed, timers } = options;
  const { slack, host, port } = settings;
  const cannotListen = (error: unknown): never => {
    throw listenError(host, port, error);
  };

  if (slack.transport === 'http') {
    const signingSecret = slack.signingSecret.reveal();
    const events = eventsRoute({ path: '/slack/events', signingSecret, logger, log, elapsed });
    const server = createHttpServer({ routes: [...health, events.route], log, timers });
    return {
      receiver: events.receiver,
      isOpen: () => true,
      open: () => server.listen(host, port).catch(cannotListen),
      close: () => server.close(),
    };
  }

  const { appToken, apiUrl } = slack;
  const socket = createSocket({ appToken, apiUrl, logger, log, elapsed, timers });
  const server = createHttpServer({ routes: health, log, timers });
  return {
    receiver: socket.receiver,
    isOpen: socket.isOpen,
    async open() {
      const listeningPort = await server.listen(host, port).catch(cannotListen);
      try {
        await socket.open();
      } catch (error) {
        await server.close();
        throw error;
      }
      return listeningPort;
    },
    async close() {
      await Promise.all([socket.close(), server.close()]);
    },
  };
}

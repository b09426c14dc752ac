import type { ServerResponse } from 'node:http';
import type { Logger, Receiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../lib/log.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import { eventsRoute } from './http/events.ts';
import { createPorts, type OpenPorts } from './http/ports.ts';
import type { HttpRoute } from './http/server.ts';
import { createSocket } from './socket/socket.ts';

/** Receives Slack's requests, over HTTP or over a socket; the other routes are served over HTTP with both. */
export interface SlackReceiver {
  receiver: Receiver;
  /** Whether requests can be received. */
  isOpen(): boolean;
  open(): Promise<OpenPorts>;
  close(): Promise<void>;
}

export function createReceiver(options: {
  settings: Settings;
  /** Those that are not Slack's requests. */
  routes: readonly HttpRoute[];
  metrics: HttpRoute;
  /** Answers a GET of a path that there is not. */
  answerUnknown: (response: ServerResponse) => void;
  clientOptions: WebClientOptions;
  /** See `createSocket`. */
  agent: Dispatcher | undefined;
  logger: Logger;
  log: Log;
  elapsed: Stopwatch;
  timers: Timers;
}): SlackReceiver {
  const { settings, routes, clientOptions, agent, logger, log, elapsed, timers } = options;
  const { slack } = settings;

  if (slack.transport === 'http') {
    const signingSecret = slack.signingSecret.reveal();
    const events = eventsRoute({ path: '/slack/events', signingSecret, logger, log, elapsed });
    const ports = createPorts({ ...options, routes: [...routes, events.route] });
    return { receiver: events.receiver, isOpen: () => true, open: ports.open, close: ports.close };
  }

  const { appToken } = slack;
  const socket = createSocket({ appToken, clientOptions, agent, logger, log, elapsed, timers });
  const ports = createPorts(options);
  return {
    receiver: socket.receiver,
    isOpen: socket.isOpen,
    async open() {
      const opened = await ports.open();
      try {
        await socket.open();
      } catch (error) {
        await ports.close();
        throw error;
      }
      return opened;
    },
    async close() {
      await Promise.all([socket.close(), ports.close()]);
    },
  };
}

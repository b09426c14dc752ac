import type { ServerResponse } from 'node:http';
import type { Logger, Receiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import type { SlackContext } from '../client/slack-context.ts';
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

export function createReceiver(
  context: SlackContext,
  options: {
    /** Those that are not Slack's requests. */
    routes: readonly HttpRoute[];
    metrics: HttpRoute;
    /** Answers a GET of a path that there is not. */
    answerUnknown: (response: ServerResponse) => void;
    clientOptions: WebClientOptions & { logger: Logger };
    /** See `createSocket`. */
    agent: Dispatcher | undefined;
  },
): SlackReceiver {
  const { routes, clientOptions, agent } = options;
  const { slack } = context.settings;

  if (slack.transport === 'http') {
    const events = eventsRoute(context, {
      path: '/slack/events',
      signingSecret: slack.signingSecret.reveal(),
      logger: clientOptions.logger,
    });
    const ports = createPorts(context, { ...options, routes: [...routes, events.route] });
    return { receiver: events.receiver, isOpen: () => true, open: ports.open, close: ports.close };
  }

  const socket = createSocket(context, { appToken: slack.appToken, clientOptions, agent });
  const ports = createPorts(context, options);
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

import { type Logger, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import type { Secret } from '../../../lib/secret.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { startupError } from '../startup-errors.ts';
import { reconnectingSocket } from './reconnect.ts';

/**
 * Receives Slack's requests over a socket that the program opens (Socket Mode), and reopens when it is lost. Bolt's own
 * reconnecting is off: where Slack refuses, it gives up with an unhandled rejection, and receives nothing from then on.
 */
export function createSocket(
  { time: { elapsed }, timers, log }: SlackContext,
  options: {
    appToken: Secret;
    clientOptions: WebClientOptions & { logger: Logger };
    /** What the socket is opened through; the client's own where it is left out. */
    agent: Dispatcher | undefined;
  },
): { receiver: Receiver; isOpen(): boolean; open(): Promise<void>; close(): Promise<void> } {
  const { appToken, clientOptions, agent } = options;
  const receiver = new SocketModeReceiver({
    appToken: appToken.reveal(),
    logger: clientOptions.logger,
    autoReconnectEnabled: false,
    installerOptions: { clientOptions },
    ...(agent === undefined ? {} : { dispatcher: agent }),
  });
  const closing = new AbortController();
  const socket = reconnectingSocket({
    connect: () => receiver.start(),
    closing: closing.signal,
    elapsed,
    timers,
    log,
  });

  async function reconnect(): Promise<void> {
    await socket.reconnect();
    // Slack may have answered only after the program stopped.
    if (closing.signal.aborted) {
      await receiver.stop();
    }
  }

  return {
    receiver,
    isOpen: socket.isOpen,
    async open() {
      await socket.open().catch((error: unknown) => {
        throw startupError('SLACK_APP_TOKEN', error ?? new Error('the socket was closed before it was open'));
      });
      receiver.client.on('disconnected', () => {
        if (!closing.signal.aborted) {
          void reconnect();
        }
      });
    },
    async close() {
      closing.abort();
      await receiver.stop();
    },
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import { type Logger, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Stopwatch } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Secret } from '../../../lib/secret.ts';
import { webClientOptions } from '../../client/web-client.ts';
import { startupError } from '../startup-errors.ts';
import { reconnectingSocket } from './reconnect.ts';

/**
 * Slack's requests over a socket that the program opens. A socket that is lost is opened again for as long as it takes, by
 * the program itself: where Slack refuses, Bolt's own client gives up with an unhandled rejection, and would leave it deaf.
 */
export function createSocket(
  { appToken, apiUrl }: { appToken: Secret; apiUrl?: URL },
  logger: Logger,
  log: Log,
  elapsed: Stopwatch,
): { receiver: Receiver; isOpen(): boolean; open(): Promise<void>; close(): Promise<void> } {
  const receiver = new SocketModeReceiver({
    appToken: appToken.reveal(),
    logger,
    autoReconnectEnabled: false,
    installerOptions: { clientOptions: webClientOptions(apiUrl, logger) },
  });
  const closing = new AbortController();
  const socket = reconnectingSocket({
    connect: () => receiver.start(),
    closing: closing.signal,
    elapsed,
    wait: (milliseconds) => wait(milliseconds, undefined, { signal: closing.signal }).catch(() => {}),
    log,
  });

  async function reopen(): Promise<void> {
    await socket.reconnect();
    // Slack answered only after the program was stopped.
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
          void reopen();
        }
      });
    },
    async close() {
      closing.abort();
      await receiver.stop();
    },
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import { type Logger, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import { startTrouble } from './start-trouble.ts';
import { webClientOptions } from './web-client.ts';

const maxPauseMs = 30_000;

/**
 * Slack's requests over a socket that the program opens. A socket that is lost is opened again for as long as it takes, by
 * the program itself: where Slack refuses, Bolt's own client gives up with an unhandled rejection, and would leave it deaf.
 */
export function createSocket(
  { appToken, apiUrl }: { appToken: Secret; apiUrl?: URL },
  logger: Logger,
  log: Log,
): { receiver: Receiver; open(): Promise<void>; close(): Promise<void> } {
  const receiver = new SocketModeReceiver({
    appToken: appToken.reveal(),
    logger,
    autoReconnectEnabled: false,
    installerOptions: { clientOptions: webClientOptions(apiUrl, logger) },
  });
  const closing = new AbortController();
  let reopening = false;

  async function reopen(): Promise<void> {
    reopening = true;
    for (
      let pauseMs = 500;
      reopening && !closing.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    ) {
      try {
        await receiver.start();
        reopening = false;
      } catch (error) {
        log.error({ err: error }, 'the socket to Slack could not be opened again yet');
        await wait(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
    // Slack answered only after the program was stopped.
    if (closing.signal.aborted) await receiver.stop();
  }

  return {
    receiver,
    async open() {
      await receiver.start().catch((error: unknown) => {
        throw startTrouble('SLACK_APP_TOKEN', error ?? new Error('the socket was closed before it was open'));
      });
      receiver.client.on('disconnected', () => {
        if (!reopening && !closing.signal.aborted) void reopen();
      });
    },
    async close() {
      closing.abort();
      await receiver.stop();
    },
  };
}

import { type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import type { Secret } from '../../lib/secret.ts';
import type { SlackContext } from '../client/slack-context.ts';
import type { ClientOptions } from '../client/web-client.ts';
import { startupError } from './installations/slack-access.ts';

/**
 * Receives Slack's requests over a socket that the program opens (Socket Mode), and reopens when it is lost. Bolt's own
 * reconnecting is off: where Slack refuses, it gives up with an unhandled rejection, and receives nothing from then on.
 */
export function createSocket(
  context: SlackContext,
  options: {
    appToken: Secret;
    clientOptions: ClientOptions;
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
  const socket = reconnectingSocket(context, () => receiver.start(), closing.signal);

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

const minPauseMs = 500;
const maxPauseMs = 30_000;
/** A socket lost sooner than this is not reopened at once: Slack may drop each one it accepts. */
const steadyMs = 5_000;

/** Reopens a lost socket, for as long as it takes, with a pause that doubles while that fails or does not last. */
export function reconnectingSocket(
  { time: { elapsed }, timers, log }: Pick<SlackContext, 'time' | 'timers' | 'log'>,
  connect: () => Promise<unknown>,
  closing: AbortSignal,
) {
  let state: 'closed' | 'opening' | 'open' = 'closed';
  let openedAt = 0;
  let pauseMs = minPauseMs;

  /** Opens the socket the first time. Throws if that fails. */
  async function open(): Promise<void> {
    state = 'opening';
    await connect();
    state = 'open';
    openedAt = elapsed();
  }

  async function pause(): Promise<void> {
    const ms = pauseMs;
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    await timers.sleep(ms, closing);
  }

  return {
    isOpen: () => state === 'open',
    open,
    /**
     * Called when the socket is lost. Resolves when it is open again, or when `closing` is aborted. Ignored while it is
     * being opened.
     */
    async reconnect(): Promise<void> {
      if (state !== 'open' || closing.aborted) {
        return;
      }
      state = 'opening';
      log.warn('the socket to Slack was lost');
      if (elapsed() - openedAt < steadyMs) {
        await pause();
      } else {
        pauseMs = minPauseMs;
      }
      while (!closing.aborted) {
        try {
          await open();
          log.info('the socket to Slack is open again');
          return;
        } catch (error) {
          log.error({ err: error }, 'the socket to Slack could not be reopened yet');
          await pause();
        }
      }
    },
  };
}

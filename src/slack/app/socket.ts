import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import { settledInTime } from '../../lib/time/timers.ts';
import type { SlackContext } from '../client/slack-context.ts';
import type { ClientOptions } from '../client/web-client.ts';
import { startupError } from './installations/slack-access.ts';

/** Slack says *hello* as soon as a socket is open. */
const helloMs = 15_000;
/** Slack pings each few seconds. */
const quietMs = 60_000;

const addressSchema = z.object({ url: z.string() });

/** Where `undici` tells of pings, which the client keeps to itself. */
const pingChannel = 'undici:websocket:ping';
const pingSchema = z.object({ websocket: z.object({ url: z.string() }) });

/**
 * Receives Slack's requests over a socket that the program opens (Socket Mode), and reopens when it is lost. Bolt's own
 * reconnecting is off: where Slack refuses, it gives up with unhandled promise rejection, and receives nothing from then on.
 */
export function createSocket(
  context: SlackContext,
  options: {
    appToken: Secret;
    clientOptions: ClientOptions;
    /** The socket's agent; the client's own if undefined. */
    agent: Dispatcher | undefined;
  },
): {
  receiver: Receiver;
  /** Whether it is open, and Slack was heard on it in the last minute. */
  isOpen(): boolean;
  open(): Promise<void>;
  close(): Promise<void>;
} {
  const { appToken, clientOptions, agent } = options;
  const receiver = new SocketModeReceiver({
    appToken: appToken.reveal(),
    logger: clientOptions.logger,
    autoReconnectEnabled: false,
    installerOptions: { clientOptions },
    ...(agent === undefined ? {} : { dispatcher: agent }),
  });
  const { client } = receiver;
  const {
    timers,
    time: { elapsed },
    log,
  } = context;
  const closing = new AbortController();
  const connect = () =>
    receiver.start().catch((error: unknown) => {
      throw error ?? new Error('the socket was closed before it was open');
    });
  const socket = reconnectingSocket(context, connect, closing.signal);
  let address: string | undefined;
  let lastHeard = elapsed();
  let isGivenUp = false;

  client.on('authenticated', (response: unknown) => {
    address = addressSchema.parse(response).url;
  });
  client.on('connected', () => {
    lastHeard = elapsed();
  });
  client.on('connecting', () => void giveUpWithoutHello());

  function notePing(message: unknown): void {
    if (pingSchema.safeParse(message).data?.websocket.url === address) {
      lastHeard = elapsed();
    }
  }

  /** The client waits for the *hello* of an open connection for ever. Once closed, it is reopened like one that is lost. */
  async function giveUpWithoutHello(): Promise<void> {
    const over = new AbortController();
    const end = () => over.abort(settledInTime);
    client.once('connected', end).once('disconnected', end);
    isGivenUp = false;
    await timers.bound(helloMs, over.signal);
    if (!over.signal.aborted) {
      isGivenUp = true;
      log.warn('a new socket got no hello from Slack and was dropped');
      await client.disconnect();
    }
    client.off('connected', end).off('disconnected', end);
  }

  async function reconnect(): Promise<void> {
    await socket.reconnect();
    // Slack may have answered only after the program stopped.
    if (closing.signal.aborted) {
      await receiver.stop();
    }
  }

  return {
    receiver,
    isOpen: () => socket.isOpen() && elapsed() - lastHeard <= quietMs,
    async open() {
      subscribe(pingChannel, notePing);
      await socket.open().catch(async (error: unknown) => {
        if (!isGivenUp) {
          throw startupError('SLACK_APP_TOKEN', error);
        }
        await socket.reopen();
      });
      receiver.client.on('disconnected', () => {
        if (!closing.signal.aborted) {
          void reconnect();
        }
      });
    },
    async close() {
      closing.abort();
      unsubscribe(pingChannel, notePing);
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

  /** Opens the socket, however often that fails, until `closing` is aborted. */
  async function reopen(): Promise<void> {
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
  }

  return {
    isOpen: () => state === 'open',
    open,
    reopen,
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
      await reopen();
    },
  };
}

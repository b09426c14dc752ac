import pg, { type ClientConfig } from 'pg';
import { withTimeout } from '../../../lib/time/timeout.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import { type Outage, toStoreError } from './errors.ts';

/** What a channel's notifications are given to. */
export interface Subscription {
  hear(payload: string): void;
  /** Called when notifications arrive from now on, also after an interruption: there may have been others before. */
  connected(): void;
  /** Called when they do not arrive any more. */
  lost(): void;
}

const reconnectMs = 1_000;
/** How often to check that the connection and its subscriptions still exist. */
const checkMs = 5_000;
const timeoutMs = 5_000;

export type Listener = ReturnType<typeof createListener>;

/**
 * One connection that listens to channels, replaced whenever it is lost. PostgreSQL notifies only connections that are
 * there: it has to be a direct one, not through a pool of transactions.
 */
export function createListener(options: { config: ClientConfig; timers: Timers; outage: Outage }) {
  const { timers, outage } = options;
  const subscriptions = new Map<string, Subscription>();
  const closing = new AbortController();
  const { signal } = closing;
  let isConnected = false;
  let ended: Promise<void> | undefined;

  async function keepConnected(): Promise<void> {
    while (!signal.aborted) {
      try {
        await connectOnce({
          ...options,
          subscriptions,
          signal,
          onConnected() {
            isConnected = true;
            outage.ended('notifications');
            for (const subscription of subscriptions.values()) {
              subscription.connected();
            }
          },
        });
      } catch (error) {
        if (!signal.aborted) {
          outage.began('notifications', toStoreError(error));
        }
        if (isConnected && !signal.aborted) {
          for (const subscription of subscriptions.values()) {
            subscription.lost();
          }
        }
        isConnected = false;
      }
      await timers.sleep(reconnectMs, signal);
    }
  }

  return {
    listen: (channel: string, subscription: Subscription): void =>
      void subscriptions.set(channel, subscription),
    /** Connects, and keeps connected. */
    start(): void {
      ended ??= keepConnected();
    },
    async close(): Promise<void> {
      closing.abort();
      await ended;
    },
  };
}

interface Listening {
  config: ClientConfig;
  timers: Timers;
  subscriptions: ReadonlyMap<string, Subscription>;
  signal: AbortSignal;
  /** Called when notifications arrive from now on. */
  onConnected(): void;
}

/** Resolves when the signal is aborted; throws when the connection is lost. */
async function connectOnce({ config, timers, subscriptions, signal, onConnected }: Listening): Promise<void> {
  const client = new pg.Client({
    ...config,
    application_name: `${config.application_name ?? 'switchboard'} listener`,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  });
  const lost = new Promise<Error>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('The connection to PostgreSQL ended')));
  });
  try {
    await client.connect();
    client.on('notification', ({ channel, payload = '' }) => subscriptions.get(channel)?.hear(payload));
    for (const channel of subscriptions.keys()) {
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    }
    onConnected();
    while (!signal.aborted) {
      const error = await Promise.race([lost, timers.sleep(checkMs, signal)]);
      if (error !== undefined) {
        throw error;
      }
      const { rows } = await client.query('select pg_listening_channels()');
      if (rows.length < subscriptions.size) {
        throw new Error('The connection to PostgreSQL no longer listens');
      }
    }
  } finally {
    await withTimeout(
      client.end().catch(() => {}),
      timeoutMs,
      () => {},
      timers,
    );
  }
}

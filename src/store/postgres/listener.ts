import pg, { type ClientConfig } from 'pg';
import { withTimeout } from '../../lib/time/timeout.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Outage } from './outage.ts';

/** What a channel's notifications are given to. */
export interface Subscription {
  hear(payload: string): void;
  /** Called when notifications arrive from now on, also after an interruption: there may have been others before. */
  connected(): void;
  /** Called when they do not arrive any more. */
  lost(): void;
}

/** One connection that listens to channels, replaced whenever it is lost. */
export interface Listener {
  listen(channel: string, subscription: Subscription): void;
  /** Connects, and keeps connected. */
  start(): void;
  close(): Promise<void>;
}

const reconnectMs = 1_000;
/** How often it is looked whether the connection, and what it listens to, are still there. */
const checkMs = 5_000;
const timeoutMs = 5_000;

/** PostgreSQL notifies only connections that are there: it has to be a direct one, not through a pool of transactions. */
export function createListener({
  config,
  timers,
  outage,
}: {
  config: ClientConfig;
  timers: Timers;
  outage: Outage;
}): Listener {
  const subscriptions = new Map<string, Subscription>();
  const closing = new AbortController();
  const { signal } = closing;
  let isConnected = false;
  let ended: Promise<void> | undefined;

  /** Resolves when the listener is closed; throws when the connection is lost. */
  async function serve(client: pg.Client, lost: Promise<Error>): Promise<void> {
    await client.connect();
    client.on('notification', ({ channel, payload = '' }) => subscriptions.get(channel)?.hear(payload));
    for (const channel of subscriptions.keys()) {
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    }
    isConnected = true;
    outage.ended('notifications');
    for (const subscription of subscriptions.values()) {
      subscription.connected();
    }
    while (!signal.aborted) {
      const error = await Promise.race([lost, timers.sleep(checkMs, signal)]);
      if (error !== undefined) {
        throw error;
      }
      const { rows } = await client.query('select pg_listening_channels()');
      if (rows.length < subscriptions.size) {
        throw new Error('The connection to PostgreSQL does not listen any more');
      }
    }
  }

  async function connectOnce(): Promise<void> {
    const client = new pg.Client({
      ...config,
      application_name: 'switchboard listener',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    });
    const lost = new Promise<Error>((resolve) => {
      client.on('error', resolve);
      client.on('end', () => resolve(new Error('The connection to PostgreSQL ended')));
    });
    try {
      await serve(client, lost);
    } finally {
      await withTimeout(
        client.end().catch(() => {}),
        timeoutMs,
        () => {},
        timers,
      );
    }
  }

  function tellLost(): void {
    if (isConnected && !signal.aborted) {
      for (const subscription of subscriptions.values()) {
        subscription.lost();
      }
    }
    isConnected = false;
  }

  async function keepConnected(): Promise<void> {
    while (!signal.aborted) {
      try {
        await connectOnce();
      } catch (error) {
        if (!signal.aborted) {
          outage.began('notifications', error);
        }
        tellLost();
      }
      await timers.sleep(reconnectMs, signal);
    }
  }

  return {
    listen: (channel, subscription) => void subscriptions.set(channel, subscription),
    start() {
      ended ??= keepConnected();
    },
    async close() {
      closing.abort();
      await ended;
    },
  };
}

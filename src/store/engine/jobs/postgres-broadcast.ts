import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { Broadcast } from '../../../lib/broadcast.ts';
import { createListeners } from '../../../lib/listeners.ts';
import type { StoreContext } from '../../context.ts';
import type { RetryWrite } from '../database.ts';
import type { Listener } from '../postgres/listener.ts';

const channel = 'switchboard';

const jsonSchema = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('Not JSON');
    return z.NEVER;
  }
});
const broadcastSchema = jsonSchema.pipe(z.object({ from: z.string(), topic: z.string(), key: z.string() }));

/**
 * Broadcasts between the instances on the database, by its notifications. What could not be sent is sent as soon as the
 * database is there again. An instance that was cut off is notified twice: at once, and when it is connected again.
 */
export function createPostgresBroadcast(
  { retryWrite, log }: Pick<StoreContext, 'retryWrite' | 'log'>,
  { pool, listener }: { pool: Pool; listener: Listener },
): Broadcast {
  const from = randomUUID();
  const listeners = createListeners<{ topic?: string | undefined; key?: string | undefined }>((error) =>
    log.error({ err: error }, 'a listener to broadcasts failed'),
  );
  /** Anything may have been missed. */
  const resync = () => listeners.tell({});
  listener.listen(channel, {
    hear(payload) {
      const { data } = broadcastSchema.safeParse(payload);
      // What this instance sent, it knows.
      if (data !== undefined && data.from !== from) {
        listeners.tell(data);
      }
    },
    connected: resync,
    lost: resync,
  });

  return {
    send: createBroadcastSender({ pool, retryWrite, from }),
    on: (topic, tell) =>
      void listeners.watch((message) => {
        if (message.topic === topic || message.topic === undefined) {
          tell(message.key);
        }
      }),
  };
}

/** @param options.from the sender, which ignores its own broadcasts */
export function createBroadcastSender({
  pool,
  retryWrite,
  from,
}: {
  pool: Pool;
  retryWrite: RetryWrite;
  from: string;
}): Broadcast['send'] {
  return (topic, key) => {
    const payload = JSON.stringify({ from, topic, key });
    retryWrite(() => pool.query('select pg_notify($1, $2)', [channel, payload])).catch(() => {});
  };
}

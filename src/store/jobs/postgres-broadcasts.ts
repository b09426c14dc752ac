import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { z } from 'zod';
import { createListeners } from '../../lib/listeners.ts';
import type { Log } from '../../lib/log.ts';
import type { Listener } from '../postgres/listener.ts';
import type { RetryWrite } from '../retry-write.ts';
import type { Jobs } from './jobs.ts';

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

/** Broadcasts between all instances on the database, by its notifications. */
export function createPostgresBroadcasts({
  pool,
  listener,
  retryWrite,
  log,
}: {
  pool: Pool;
  listener: Listener;
  retryWrite: RetryWrite;
  log: Pick<Log, 'error'>;
}): Pick<Jobs, 'broadcast' | 'onBroadcast'> {
  const from = randomUUID();
  const listeners = createListeners<{ topic?: string | undefined; key?: string | undefined }>((error) =>
    log.error({ err: error }, 'a listener to broadcasts failed'),
  );
  /** Anything may have been missed. */
  const resync = () => listeners.tell({});
  listener.listen(channel, {
    hear(payload) {
      const { data } = broadcastSchema.safeParse(payload);
      // What this instance sent, its listeners know.
      if (data !== undefined && data.from !== from) {
        listeners.tell(data);
      }
    },
    connected: resync,
    lost: resync,
  });

  return {
    broadcast(topic, key) {
      listeners.tell({ topic, key });
      const payload = JSON.stringify({ from, topic, key });
      retryWrite(() => pool.query('select pg_notify($1, $2)', [channel, payload])).catch(() => {});
    },
    onBroadcast: (topic, tell) =>
      void listeners.watch((told) => {
        if (told.topic === topic || told.topic === undefined) {
          tell(told.key);
        }
      }),
  };
}

import { randomUUID } from 'node:crypto';
import type { Broadcast } from './lib/broadcast.ts';
import type { Jobs } from './store/jobs/jobs.ts';

/** Broadcasts to the other instances on the database. This instance has dropped already what it tells them to. */
export function broadcastToOthers(jobs: Pick<Jobs, 'broadcast' | 'onBroadcast'>): Broadcast {
  const own = `${randomUUID()} `;
  return {
    send: (topic, key) => jobs.broadcast(topic, own + key),
    on: (topic, handler) =>
      jobs.onBroadcast(topic, (told) => {
        if (!told?.startsWith(own)) {
          handler(told?.slice(own.length));
        }
      }),
  };
}

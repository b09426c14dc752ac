import type { Pool } from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Log } from '../../lib/log.ts';
import { StoreError } from '../errors.ts';
import { toStoreError } from '../postgres/errors.ts';
import type { Listener } from '../postgres/listener.ts';
import type { Outage } from '../postgres/outage.ts';

/** In seconds: how often it is looked, by one instance of all, whether jobs of an instance that died are to be run again. */
const superviseSeconds = 15;

/**
 * Creates pg-boss on connections of the pool, with the tables of its own schema. While the database is away it logs
 * nothing of its own: the outage is logged once.
 */
export async function createBoss({
  pool,
  listener,
  outage,
  log,
}: {
  pool: Pool;
  listener: Listener;
  outage: Outage;
  log: Pick<Log, 'error' | 'warn'>;
}): Promise<PgBoss> {
  // Only here: it takes memory that a program on SQLite has no use for.
  const { PgBoss: Boss } = await import('pg-boss');
  const boss = new Boss({
    db: {
      async executeSql(text, values) {
        try {
          const result = await pool.query(text, values);
          outage.ended('statements');
          return result;
        } catch (error) {
          const cause = toStoreError(error);
          if (cause instanceof StoreError && cause.fault === 'unreachable') {
            outage.began('statements', cause);
          }
          throw error;
        }
      },
      async listen(channel, hear, connected) {
        listener.listen(channel, { hear, connected, lost: () => {} });
        return { close: async () => {} };
      },
    },
    useListenNotify: true,
    schedule: false,
    registerInstance: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on('error', (error) => {
    if (!outage.isOn('statements')) {
      log.error({ err: error }, 'pg-boss failed');
    }
  });
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'pg-boss warns'));
  return boss;
}

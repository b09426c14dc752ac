import type { Log } from '../../../lib/log.ts';

/**
 * What reaches PostgreSQL, each on its own way: `statements` on the connections of the pool, `notifications` on one of their
 * own.
 */
type Way = 'statements' | 'notifications';

export type Outage = ReturnType<typeof createOutage>;

/** Logs once that the database cannot be reached, and once that it can be again. */
export function createOutage(log: Pick<Log, 'error' | 'info'>) {
  const out = new Set<Way>();
  return {
    began(way: Way, error: unknown): void {
      if (out.size === 0) {
        log.error({ err: error, way }, 'PostgreSQL cannot be reached: work in the background waits for it');
      }
      out.add(way);
    },
    ended(way: Way): void {
      if (out.delete(way) && out.size === 0) {
        log.info('PostgreSQL can be reached again: work in the background goes on');
      }
    },
    isOn: (way: Way) => out.has(way),
  };
}

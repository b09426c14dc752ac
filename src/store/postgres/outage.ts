import type { Log } from '../../lib/log.ts';

/**
 * What reaches PostgreSQL, each on its own way: `statements` on the connections of the pool, `notifications` on one of their
 * own.
 */
type Way = 'statements' | 'notifications';

/** Logs once that the database cannot be reached, and once that it can be again. */
export interface Outage {
  began(way: Way, error: unknown): void;
  ended(way: Way): void;
  isOn(way: Way): boolean;
}

export function createOutage(log: Pick<Log, 'error' | 'info'>): Outage {
  const out = new Set<Way>();
  return {
    began(way, error) {
      if (out.size === 0) {
        log.error({ err: error, way }, 'PostgreSQL cannot be reached: work in the background waits for it');
      }
      out.add(way);
    },
    ended(way) {
      if (out.delete(way) && out.size === 0) {
        log.info('PostgreSQL can be reached again: work in the background goes on');
      }
    },
    isOn: (way) => out.has(way),
  };
}

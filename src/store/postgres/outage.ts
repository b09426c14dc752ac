import type { Log } from '../../lib/log.ts';

/** Logs once that the database cannot be reached, and once that it can be again. */
export interface Outage {
  began(error: unknown): void;
  ended(): void;
  isOn(): boolean;
}

export function createOutage(log: Pick<Log, 'error' | 'info'>): Outage {
  let isOut = false;
  return {
    began(error) {
      if (!isOut) {
        log.error({ err: error }, 'PostgreSQL cannot be reached: work in the background waits for it');
      }
      isOut = true;
    },
    ended() {
      if (isOut) {
        log.info('PostgreSQL can be reached again: work in the background goes on');
      }
      isOut = false;
    },
    isOn: () => isOut,
  };
}

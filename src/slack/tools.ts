import type { Log } from '../log.ts';
import type { Services } from '../services/services.ts';
import type { Telling } from './telling.ts';

/** What every listener may use. */
export interface Tools {
  services: Services;
  telling: Telling;
  commandPrefix: string;
  log: Log;
}

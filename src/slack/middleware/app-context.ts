import type { Clock, Stopwatch } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Timers } from '../../lib/timers.ts';
import type { Services } from '../../services/services.ts';
import type { Files } from '../client/files.ts';
import type { Navigation } from '../navigation/navigation.ts';
import type { OutcomeNotifier, OutcomeRenderers } from '../notifier/outcome-notifier.ts';

/** What every listener may use. */
export interface AppContext {
  services: Services;
  notifier: OutcomeNotifier;
  outcomeRenderers: OutcomeRenderers;
  navigation: Navigation;
  files: Files;
  clock: Clock;
  elapsed: Stopwatch;
  timers: Timers;
  commandPrefix: string;
  /** Fires when the program is to stop: what takes long ends early, with what it has. */
  stopping: AbortSignal;
  log: Log;
}

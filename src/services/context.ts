import type { Settings } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Timers } from '../lib/time/timers.ts';
import type { Provider } from '../provider/client.ts';
import type { Store } from '../store/store.ts';
import { createAuditService } from './audit/audit-service.ts';

/** What every service is given. */
export type Context = ReturnType<typeof createContext>;

export function createContext({
  settings,
  store,
  provider,
  timers,
  log,
  metrics,
}: {
  settings: Settings;
  store: Store;
  provider: Provider;
  timers: Timers;
  log: Log;
  metrics: Metrics;
}) {
  const report = (error: unknown): void => log.error({ err: error }, 'background work failed');
  return {
    settings,
    store,
    provider,
    timers,
    log,
    metrics,
    broadcast: store.broadcast,
    time: store.time,
    /** What the provider's profile says. */
    dialect: settings.provider.dialect,
    audit: createAuditService({ trail: store.audit, report }),
    /** Logs an error of work that no caller waits for, or that must not change the outcome of what a user did. */
    report,
  };
}

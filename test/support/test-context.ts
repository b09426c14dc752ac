import type { Settings } from '../../src/config/settings.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { Secret } from '../../src/lib/secret.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { createProvider } from '../../src/provider/client.ts';
import { createAuditService } from '../../src/services/audit/audit-service.ts';
import { type Context, createContext } from '../../src/services/context.ts';
import type { Store } from '../../src/store/store.ts';

const dialect = { chatChannel: 'chatapp' };
const nowhere = new URL('http://127.0.0.1:9');

/** One for all tests of a process: they count nothing that another test reads. */
const metrics = createMetrics();

const usualSettings: Settings = {
  provider: { baseUrl: nowhere, dialect },
  slack: {
    transport: 'socket',
    appToken: new Secret('xapp-test'),
    access: { kind: 'token', botToken: new Secret('xoxb-test') },
    apiUrl: undefined,
  },
  encryptionKeys: [],
  dataDir: '',
  postgres: undefined,
  host: '127.0.0.1',
  port: 0,
  metricsPort: undefined,
  commandPrefix: '',
  campaignMessagesPerSecond: 100,
  retentionDays: 30,
  publicAddress: undefined,
  optOutAddress: undefined,
  reportSignature: undefined,
  sentAtZone: undefined,
  contacts: {},
  logLevel: 'fatal',
  proxy: undefined,
  traces: undefined,
  warnings: [],
};

type Changed = Partial<Omit<Context, 'store' | 'settings' | 'audit'>> & {
  settings?: Partial<Settings>;
  /** Called with what is recorded in the audit, instead of the store. */
  record?: Context['audit']['record'];
};

/** What services are given, on a store: with a provider that does not respond, and errors of background work thrown. */
export function testContext(store: Store, { settings, record, ...changed }: Changed = {}): Context {
  const context = createContext({
    settings: { ...usualSettings, ...settings },
    store,
    provider: changed.provider ?? createProvider({ baseUrl: nowhere, dialect }),
    timers: changed.timers ?? systemTimers,
    log: createLog('silent'),
    metrics,
  });
  const report = (error: unknown): never => {
    throw error;
  };
  const audit = createAuditService({ trail: store.audit, report: changed.report ?? report });
  return { ...context, report, ...changed, audit: record === undefined ? audit : { ...audit, record } };
}

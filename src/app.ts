import { recover, startBackgroundWork, watchInstances } from './background-work.ts';
import type { Settings } from './config/settings.ts';
import type { AccessDecision } from './domain/access/decision.ts';
import { createLog, type Log } from './lib/log.ts';
import { createMetrics } from './lib/metrics.ts';
import type { Time } from './lib/time/clock.ts';
import { systemTimers, type Timers } from './lib/time/timers.ts';
import { createWorkspaceCaches } from './lib/workspace-caches.ts';
import { addFigures, observeProvider } from './observe.ts';
import { createProvider, type ProviderLimits, usualLimits } from './provider/client.ts';
import { createContext } from './services/context.ts';
import { createServices, type Services } from './services/services.ts';
import { createSlackApp, type SlackApp, type SlackAppOptions } from './slack/app/slack-app.ts';
import type { ProgramContext } from './slack/client/slack-context.ts';
import { openStore } from './store/store.ts';
import { version } from './version.ts';
import type { ProgramPhase } from './web/health.ts';
import { createWeb, type OpenPorts, type Web } from './web/web.ts';

export interface RunningApp extends OpenPorts {
  /** For a program that drives the app without Slack. */
  services: Services;
  /** What the modules of the program are given. */
  context: ProgramContext;
  /** Resolves when every request from Slack so far has been handled. */
  settled(): Promise<void>;
  /** Refuses new requests, waits for the current ones, and closes everything. */
  stop(): Promise<void>;
}

/** What the program has of its own; passed in by tests. */
export interface AppOptions extends SlackAppOptions {
  /** Default: the store's. */
  time?: Time | undefined;
  timers?: Timers | undefined;
  log?: Log | undefined;
  /** Other limits for requests to the provider than the usual ones. */
  providerLimits?: Partial<ProviderLimits> | undefined;
  /** For how long the program goes on serving once it is to stop, in milliseconds. */
  drainMs?: number | undefined;
}

/**
 * How long a stop waits, on PostgreSQL and over HTTP, for a load balancer to notice: other instances serve then. Kubernetes and
 * a balancer that asks `/readyz` every two seconds need less.
 */
const balancedDrainMs = 5_000;
/** The outcomes of the last requests are posted to Slack. */
const stopMarginMs = 30_000;
/** The longest that a stop may take: the last request to the provider may have begun with it. */
export const longestStopMs = balancedDrainMs + usualLimits.totalTimeout + stopMarginMs;

/** The composition root. Throws when the app cannot start. */
export async function startApp(settings: Settings, options: AppOptions = {}): Promise<RunningApp> {
  const context = await openContext(settings, options, (...person) => slack.decide(...person));
  const { services, log } = context;
  const slack = createSlackApp(context, options);
  let phase: ProgramPhase = 'starting';
  const web = createWeb(context, {
    routes: slack.routes,
    installPath: slack.installPath,
    slack: slack.ask,
    isReceiving: slack.isReceiving,
    phase: () => phase,
  });
  const ports = await openPorts(context, slack, web);
  const stopWatching = watchInstances(context);
  services.campaigns.startSending();
  const backgroundWork = startBackgroundWork(context, slack);

  async function stopServing(): Promise<void> {
    phase = 'stopping';
    const isBalanced = settings.postgres !== undefined && settings.slack.transport === 'http';
    const drainMs = options.drainMs ?? (isBalanced ? balancedDrainMs : 0);
    if (drainMs > 0) {
      await context.timers.sleep(drainMs);
    }
    await Promise.all([web.close(), slack.disconnect()]);
    await slack.stop();
  }

  const app: RunningApp = {
    ...ports,
    services,
    context,
    settled: slack.settled,
    async stop() {
      // Concurrently: each waits for its own work in flight, so a stop takes as long as the longest of them.
      await Promise.all([
        stopServing(),
        services.campaigns.stopSending(),
        services.erasure.stop(),
        backgroundWork.stop(),
        stopWatching(),
      ]);
      await close(context);
      log.info('Switchboard has stopped');
    },
  };
  await backgroundWork.started.catch(async (error: unknown) => {
    await app.stop();
    throw error;
  });
  phase = 'running';
  return app;
}

/** Opens the store and the provider's client, and makes the services. */
async function openContext(
  settings: Settings,
  options: AppOptions,
  decide: (workspaceId: string, userId: string) => Promise<AccessDecision>,
): Promise<ProgramContext> {
  const { timers = systemTimers, log = createLog(settings.logLevel) } = options;
  const { dataDir, postgres, encryptionKeys } = settings;
  const providerLimits = { ...usualLimits, ...options.providerLimits };
  const metrics = createMetrics();
  const store = await openStore({
    dataDir,
    postgres,
    encryptionKeys,
    time: options.time,
    timers,
    log,
    version,
    onStatement: metrics.statement,
  });
  addFigures(metrics, store);
  const provider = createProvider({
    ...settings.provider,
    ...providerLimits,
    proxy: settings.proxy,
    onCall: observeProvider(metrics, log),
    onConnectionFault: (fault) => log.warn(fault, 'the connection to the provider failed'),
  });
  const program = createContext({ settings, store, provider, timers, log, metrics });
  const services = createServices(program, {
    decide,
    // A workspace has a quarter of the connections, and one of those stays free for users who wait.
    maxCampaignRequests: Math.max(1, Math.floor(providerLimits.connections / 4) - 1),
  });
  return { ...program, services, caches: createWorkspaceCaches(store.broadcast) };
}

/** Takes up what the last run left, and begins to receive requests. */
async function openPorts(context: ProgramContext, slack: SlackApp, web: Web): Promise<OpenPorts> {
  try {
    await recover(context);
    await slack.start();
    const ports = await web.open();
    await slack.connect().catch(async (error: unknown) => {
      await web.close();
      throw error;
    });
    return ports;
  } catch (error) {
    await close(context);
    throw error;
  }
}

async function close({ provider, store }: ProgramContext): Promise<void> {
  await provider.close();
  await store.close();
}

import { startBackgroundWork } from './background-work.ts';
import type { Settings } from './config/settings.ts';
import { createForgetting } from './lib/forgetting.ts';
import { createLog, type Log } from './lib/log.ts';
import { createMetrics } from './lib/metrics.ts';
import type { Time } from './lib/time/clock.ts';
import { type SystemLoad, systemLoad } from './lib/time/system-load.ts';
import { systemTimers, type Timers } from './lib/time/timers.ts';
import { addFigures, observeProvider } from './observe.ts';
import { createProvider, type ProviderLimits, usualLimits } from './provider/client.ts';
import { recover, watchInstances } from './recovery.ts';
import { createContext } from './services/context.ts';
import { createServices, type Services } from './services/services.ts';
import { createSlackApp } from './slack/app/slack-app.ts';
import type { ProgramContext } from './slack/client/slack-context.ts';
import { openStore } from './store/store.ts';
import { version } from './version.ts';
import type { ProgramPhase } from './web/health.ts';
import { createWeb, type OpenPorts } from './web/web.ts';

export interface RunningApp extends OpenPorts {
  /** For a program that drives the app without Slack. */
  services: Services;
  /** What the modules of the program are given. */
  context: ProgramContext;
  /** Resolves when every request from Slack so far has been handled. */
  settled(): Promise<void>;
  /** Accepts no more requests, waits for the current ones, and closes everything. */
  stop(): Promise<void>;
}

/** What the program has of its own; passed in by tests. */
export interface AppOptions {
  /** Default: the store's. */
  time?: Time | undefined;
  timers?: Timers | undefined;
  log?: Log | undefined;
  load?: SystemLoad | undefined;
  /** Other limits for requests to the provider than the usual ones. */
  providerLimits?: Partial<ProviderLimits> | undefined;
  /** The most connections to PostgreSQL. */
  databaseConnections?: number | undefined;
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
  const {
    timers = systemTimers,
    load = systemLoad,
    drainMs = settings.postgres && settings.slack.transport === 'http' ? balancedDrainMs : 0,
    log = createLog(settings.logLevel),
  } = options;
  const { dataDir, postgres, encryptionKeys, retentionDays } = settings;
  const providerLimits = { ...usualLimits, ...options.providerLimits };
  const metrics = createMetrics();
  const store = await openStore({
    dataDir,
    postgres: postgres && { ...postgres, connections: options.databaseConnections },
    encryptionKeys,
    time: options.time,
    timers,
    log,
    version,
    onStatement: metrics.statement,
  });
  const { time } = store;
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
    decide: (workspaceId, userId) => slack.decide(workspaceId, userId),
    maxCampaignRequests: campaignRequests(providerLimits.connections),
  });
  const forgetting = createForgetting(store.broadcast);
  const context = { ...program, services, forgetting };
  const slack = createSlackApp(context, load);
  let phase: ProgramPhase = 'starting';
  const web = createWeb(context, {
    routes: slack.routes,
    installPath: slack.installPath,
    slack: slack.ask,
    isReceiving: slack.isReceiving,
    phase: () => phase,
  });

  let ports: OpenPorts;
  try {
    await recover(store, time, log);
    await slack.start();
    ports = await web.open();
    await slack.connect().catch(async (error: unknown) => {
      await web.close();
      throw error;
    });
  } catch (error) {
    await provider.close();
    await store.close();
    throw error;
  }
  const stopWatching = watchInstances(store, { time, timers, log });
  services.campaigns.startSending();
  const backgroundWork = startBackgroundWork({
    slack,
    store,
    services,
    onResolved: metrics.resolved,
    retentionDays,
    time,
    log,
  });

  async function stopServing(): Promise<void> {
    phase = 'stopping';
    await (drainMs > 0 ? timers.sleep(drainMs) : undefined);
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
      await provider.close();
      await store.close();
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

/**
 * Returns how many requests of a workspace's campaigns may be in flight: a workspace has a quarter of the connections,
 * and one of those stays free for users who wait.
 */
function campaignRequests(connections: number): number {
  return Math.max(1, Math.floor(connections / 4) - 1);
}

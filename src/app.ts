import { startBackgroundWork } from './background-work.ts';
import type { Settings } from './config/settings.ts';
import type { AccessDecision } from './domain/access/decision.ts';
import type { Broadcast } from './lib/broadcast.ts';
import { createForgetting } from './lib/forgetting.ts';
import { createLog, type Log } from './lib/log.ts';
import { createMetrics, type Metrics } from './lib/metrics.ts';
import type { Time } from './lib/time/clock.ts';
import { type SystemLoad, systemLoad } from './lib/time/system-load.ts';
import { systemTimers, type Timers } from './lib/time/timers.ts';
import { addFigures, observeProvider } from './observe.ts';
import { createProvider, type Provider, type ProviderLimits, usualLimits } from './provider/client.ts';
import { recover, watchInstances } from './recovery.ts';
import { createServices, type Services } from './services/services.ts';
import type { OpenPorts } from './slack/app/http/ports.ts';
import { createSlackApp } from './slack/app/slack-app.ts';
import type { ProgramContext } from './slack/client/slack-context.ts';
import { openStore, type Store } from './store/store.ts';
import { version } from './version.ts';

export interface RunningApp {
  /** The port for Slack's requests over HTTP, and in any case for the pages, `/healthz` and `/readyz`. */
  port: number;
  /** The port for `/metrics`, if it has one of its own. */
  metricsPort?: number | undefined;
  /** For a program that drives the app without Slack. */
  services: Services;
  /** What the modules of the program are given. */
  context: ProgramContext;
  /** Resolves when every request from Slack so far has been handled. */
  settled(): Promise<void>;
  /** Accepts no more requests, waits for the current ones, and closes everything. */
  stop(): Promise<void>;
}

/** What every part of the program is given. */
interface Environment {
  settings: Settings;
  time: Time;
  timers: Timers;
  log: Log;
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
  const environment = { settings, time, timers, log };
  addFigures(metrics, store);
  const provider = createProvider({
    ...settings.provider,
    ...providerLimits,
    proxy: settings.proxy,
    onCall: observeProvider(metrics, log),
    onConnectionFault: (fault) => log.warn(fault, 'the connection to the provider failed'),
  });
  const { broadcast } = store;
  const services = composeServices(environment, {
    store,
    broadcast,
    provider,
    metrics,
    connections: providerLimits.connections,
    decide: (workspaceId, userId) => slack.decide(workspaceId, userId),
  });
  const forgetting = createForgetting(broadcast);
  const context = { ...environment, store, services, broadcast, metrics, forgetting };
  const slack = createSlackApp(context, { load, drainMs });

  let ports: OpenPorts;
  try {
    await recover(store, time, log);
    ports = await slack.start();
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

  const app: RunningApp = {
    ...ports,
    services,
    context,
    settled: slack.settled,
    async stop() {
      // Concurrently: each waits for its own work in flight, so a stop takes as long as the longest of them.
      await Promise.all([
        slack.stop(),
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
  slack.announceReady();
  return app;
}

function composeServices(
  { settings, time, timers, log }: Environment,
  {
    store,
    broadcast,
    provider,
    metrics,
    connections,
    decide,
  }: {
    store: Store;
    broadcast: Broadcast;
    provider: Provider;
    metrics: Metrics;
    connections: number;
    decide: (workspaceId: string, userId: string) => Promise<AccessDecision>;
  },
): Services {
  return createServices({
    store,
    provider,
    broadcast,
    dialect: settings.provider.dialect,
    campaignLimits: {
      maxRequests: campaignRequests(connections),
      messagesPerSecond: settings.campaignMessagesPerSecond,
    },
    optOutAddress: settings.optOutAddress,
    reports: settings.reportSignature && { ...settings.reportSignature, maxAgeDays: settings.retentionDays },
    time,
    timers,
    decide,
    report: (error) => log.error({ err: error }, 'work in the background failed'),
    ended: metrics.operation,
    onRecipients: metrics.campaignRecipients,
    onLimitReached: metrics.limitReached,
    onReportItems(items) {
      metrics.reportItems(items);
      const { unreadable, stale } = items;
      if (unreadable + stale > 0) {
        log.warn({ unreadable, stale }, 'some of what the provider reported was left out');
      }
    },
  });
}

/**
 * Returns how many requests of a workspace's campaigns may be in flight: a workspace has a quarter of the connections,
 * and one of those stays free for users who wait.
 */
function campaignRequests(connections: number): number {
  return Math.max(1, Math.floor(connections / 4) - 1);
}

import { subDays } from 'date-fns/subDays';
import type { Settings } from './config/settings.ts';
import { createLog, type Log } from './lib/log.ts';
import { createMetrics } from './lib/metrics.ts';
import { type MachineClocks, machineClocks } from './lib/time/clock.ts';
import { startInterval } from './lib/time/interval.ts';
import { type SystemLoad, systemLoad } from './lib/time/system-load.ts';
import { systemTimers, type Timers } from './lib/time/timers.ts';
import { createTime } from './lib/time/trusted-time.ts';
import { createProvider } from './provider/client.ts';
import { createServices, type Services } from './services/services.ts';
import { createSlackApp } from './slack/app/slack-app.ts';
import { openStore } from './store/store.ts';

export interface RunningApp {
  /** The port for Slack's requests over HTTP, and in any case for `/healthz`, `/readyz` and `/metrics`. */
  port: number;
  /** For a program that drives the app without Slack. */
  services: Services;
  /** Resolves when every request from Slack so far has been handled. */
  settled(): Promise<void>;
  /** Accepts no more requests, waits for the current ones, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Returns how many requests of a workspace's campaigns may be in flight: a workspace has a quarter of the connections,
 * and one of those stays free for users who wait.
 */
function campaignRequests(connections: number): number {
  return Math.max(1, Math.floor(connections / 4) - 1);
}

const minute = 60_000;
/** How often expired campaigns are deleted. Whether that is due is asked each minute, as the clock may be in doubt. */
const deleteExpiredEvery = 60 * minute;
/** How long campaigns that were imported and never started are kept. */
const unstartedRetentionDays = 1;

/** The composition root. Throws when the app cannot start. */
export async function startApp(
  settings: Settings,
  options: { clocks?: MachineClocks; timers?: Timers; log?: Log; load?: SystemLoad } = {},
): Promise<RunningApp> {
  const {
    clocks = machineClocks,
    timers = systemTimers,
    load = systemLoad,
    log = createLog(settings.logLevel),
  } = options;
  const time = createTime(clocks, (leapMs) =>
    log.warn(
      { seconds: Math.round(leapMs / 1000) },
      'the machine’s clock has jumped: nothing is started or deleted by it until it is trusted again',
    ),
  );
  const store = await openStore({
    dataDir: settings.dataDir,
    encryptionKeys: settings.encryptionKeys,
    time,
    timers,
    log,
  });
  const provider = createProvider({ ...settings.provider, dialect: settings.provider });
  const metrics = createMetrics();
  const services = createServices({
    store,
    provider,
    unicode: settings.provider.unicodeType !== undefined,
    contactDeletion: settings.provider.contactDeleteBy !== undefined,
    campaignLimits: {
      maxRequests: campaignRequests(settings.provider.connections),
      messagesPerSecond: settings.campaignMessagesPerSecond,
    },
    time,
    timers,
    report: (error) => log.error({ err: error }, 'a campaign failed in the background'),
    ended: metrics.operation,
  });
  const slack = createSlackApp({ settings, services, store, metrics, time, timers, load, log });

  let port: number;
  try {
    const known = await store.knownTime.read();
    if (known !== undefined) {
      time.restore(known);
    }
    const { takeover: noticed } = store.installation;
    if (noticed !== undefined) {
      log.warn(
        { noticed: noticed.reason, campaigns: noticed.heldCampaigns },
        'the data was restored or copied: its campaigns are paused until they are resumed, and open forms are void',
      );
    }
    const cutOff = await store.ledger.recover(time.now());
    if (cutOff > 0) {
      log.warn({ operations: cutOff }, 'operations under way at the last stop are now unconfirmed');
    }
    const inFlight = await store.campaigns.recover(time.now());
    if (inFlight > 0) {
      log.warn(
        { recipients: inFlight },
        'recipients of campaigns in flight at the last stop are now unconfirmed',
      );
    }
    await store.outbox.recover(time.now());
    port = await slack.start();
  } catch (error) {
    await provider.close();
    await store.close();
    throw error;
  }
  services.campaigns.startSending();

  const logError = (message: string) => (error: unknown) => log.error({ err: error }, message);
  const stopNotifying = startInterval({
    ms: minute,
    timers,
    onError: logError('due notices could not be sent'),
    async run(signal) {
      await slack.addRestored().catch(logError('notices about restored data could not be written yet'));
      await slack.notify(signal);
    },
  });
  const stopSavingTime = startInterval({
    ms: minute,
    timers,
    onError: logError('the known time could not be saved'),
    async run() {
      const known = time.snapshot();
      if (known !== undefined) {
        await store.knownTime.write(known);
      }
    },
  });
  let deleteFrom = Number.NEGATIVE_INFINITY;
  const stopDeletingExpired = startInterval({
    ms: minute,
    timers,
    onError: logError('expired campaigns could not be deleted yet'),
    async run() {
      const now = time.elapsed() < deleteFrom ? undefined : time.trustedForDeletion();
      if (now !== undefined) {
        deleteFrom = time.elapsed() + deleteExpiredEvery;
        await store.campaigns.expire(
          subDays(now, settings.retentionDays),
          subDays(now, unstartedRetentionDays),
        );
      }
    },
  });

  return {
    port,
    services,
    settled: slack.settled,
    async stop() {
      // Concurrently: each waits for its own work in flight, so a stop takes as long as the longest of them.
      await Promise.all([
        slack.stop(),
        stopNotifying(),
        services.campaigns.stopSending(),
        stopSavingTime(),
        stopDeletingExpired(),
      ]);
      await provider.close();
      await store.close();
      log.info('Switchboard has stopped');
    },
  };
}

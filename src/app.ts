import { subDays } from 'date-fns/subDays';
import type { Settings } from './config/settings.ts';
import { type MachineClocks, machineClocks } from './lib/clock.ts';
import { startInterval } from './lib/interval.ts';
import { createLog, type Log } from './lib/log.ts';
import { createMetrics } from './lib/metrics.ts';
import { type SystemLoad, systemLoad } from './lib/system-load.ts';
import { createTime } from './lib/time.ts';
import { systemTimers, type Timers } from './lib/timers.ts';
import { createProvider } from './provider/client.ts';
import { createServices, type Services } from './services/services.ts';
import { createSlackApp } from './slack/app/slack-app.ts';
import { openStore } from './store/store.ts';

export interface RunningApp {
  /** Where it listens: all that Slack sends over HTTP, and always `/healthz`, `/readyz` and `/metrics`. */
  port: number;
  /** What people can do, for a program that drives it without Slack. */
  services: Services;
  /** Resolves when everything that Slack sent so far is done with. */
  settled(): Promise<void>;
  /** Takes no more requests, lets those under way end, and closes what was opened. */
  stop(): Promise<void>;
}

/** A workspace's calls have a quarter of the connections, and one of those stays free for people who wait. */
function campaignRequests(connections: number): number {
  return Math.max(1, Math.floor(connections / 4) - 1);
}

const catchUpEvery = 60_000;
const keepTimeEvery = 60_000;
const sweepEvery = 60 * 60_000;
/** As the clock may be in doubt when a sweep is due. */
const lookForSweepEvery = 60_000;
/** What was read and never started. */
const readyKeptDays = 1;

/** Puts the rooms together: the one place that knows every one of them. Throws where it cannot start. */
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
  const time = createTime(clocks, (leap) =>
    log.warn(
      { seconds: Math.round(leap / 1000) },
      'the machine’s clock has leapt: nothing is started or deleted by it yet',
    ),
  );
  const store = await openStore({
    dataDir: settings.dataDir,
    encryptionKeys: settings.encryptionKeys,
    time,
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
    report: (error) => log.error({ err: error }, 'a campaign met a fault'),
    ended: metrics.operation,
  });
  const slack = createSlackApp({ settings, services, store, metrics, time, timers, load, log });

  let port: number;
  try {
    const known = await store.knownTime.read();
    if (known !== undefined) {
      time.restore(known);
    }
    const { noticed } = store.installation;
    if (noticed !== undefined) {
      log.warn(
        { noticed: noticed.why, campaigns: noticed.held },
        'the data was restored or copied: its campaigns are paused until somebody resumes them, and what was open is void',
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
  const stopCatchingUp = startInterval({
    ms: catchUpEvery,
    timers,
    onError: logError('nobody could be told what is due'),
    async run(signal) {
      await slack.addRestored().catch(logError('restored data could not be told of yet'));
      await slack.notify(signal);
    },
  });
  const stopKeepingTime = startInterval({
    ms: keepTimeEvery,
    timers,
    onError: logError('what is known of the time could not be kept'),
    async run() {
      const known = time.snapshot();
      if (known !== undefined) {
        await store.knownTime.write(known);
      }
    },
  });
  let sweepFrom = Number.NEGATIVE_INFINITY;
  const stopSweeping = startInterval({
    ms: lookForSweepEvery,
    timers,
    onError: logError('what is past its retention time is still kept'),
    async run() {
      const now = time.elapsed() < sweepFrom ? undefined : time.trustedForDeletion();
      if (now !== undefined) {
        sweepFrom = time.elapsed() + sweepEvery;
        await store.campaigns.expire(subDays(now, settings.retentionDays), subDays(now, readyKeptDays));
      }
    },
  });

  return {
    port,
    services,
    settled: slack.settled,
    async stop() {
      // All at once: each waits for what it has in flight, and who stops the program waits for the longest alone.
      await Promise.all([
        slack.stop(),
        stopCatchingUp(),
        services.campaigns.stopSending(),
        stopKeepingTime(),
        stopSweeping(),
      ]);
      await provider.close();
      await store.close();
      log.info('Switchboard has stopped');
    },
  };
}

import { subDays } from 'date-fns/subDays';
import { type Clock, systemClock } from './clock.ts';
import type { Settings } from './config.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createProvider } from './provider/client.ts';
import { repeatedly } from './repeatedly.ts';
import { createServices, type Services } from './services/services.ts';
import { createSlack } from './slack/bolt.ts';
import { openStore } from './store/store.ts';

export interface RunningApp {
  /** Where it listens: all that Slack sends over HTTP, and always `/healthz`, `/readyz` and `/metrics`. */
  port: number;
  /** What people can do, for a program that drives it without Slack. */
  services: Services;
  /** Takes no more requests, lets those under way end, and closes what was opened. */
  stop(): Promise<void>;
}

/** A workspace's calls have a quarter of the connections, and one of those stays free for people who wait. */
function campaignRequests(connections: number): number {
  return Math.max(1, Math.floor(connections / 4) - 1);
}

const catchUpEvery = 60_000;
const sweepEvery = 60 * 60_000;
/** What was read and never started. */
const readyKeptDays = 1;
/** An outcome younger than this is still being told by the request that brought it about. */
const stillBeingTold = 30_000;

/** Puts the rooms together: the one place that knows every one of them. Throws where it cannot start. */
export async function startApp(
  settings: Settings,
  options: { clock?: Clock; log?: Log } = {},
): Promise<RunningApp> {
  const { clock = systemClock, log = createLog(settings.logLevel) } = options;
  const store = await openStore({
    dataDir: settings.dataDir,
    encryptionKeys: settings.encryptionKeys,
    clock,
  });
  const provider = createProvider({ ...settings.provider, dialect: settings.provider });
  const metrics = createMetrics();
  const services = createServices({
    store,
    provider,
    unicode: settings.provider.unicodeType !== undefined,
    contactDeletion: settings.provider.contactDeleteBy !== undefined,
    campaignLimits: {
      requests: campaignRequests(settings.provider.connections),
      messagesPerSecond: settings.campaignMessagesPerSecond,
    },
    clock,
    report: (error) => log.error({ err: error }, 'a campaign met a fault'),
    ended: metrics.operation,
  });
  const slack = createSlack({ settings, services, store, metrics, clock, log });

  let port: number;
  try {
    const { noticed } = store.installation;
    if (noticed !== undefined) {
      log.warn(
        { noticed: noticed.why, campaigns: noticed.held },
        'the data was restored or copied: its campaigns are paused until somebody resumes them, and what was open is void',
      );
    }
    const cutOff = await store.ledger.recover(clock());
    if (cutOff > 0) {
      log.warn({ operations: cutOff }, 'operations under way at the last stop are now unconfirmed');
    }
    const inFlight = await store.campaigns.recover(clock());
    if (inFlight > 0) {
      log.warn(
        { recipients: inFlight },
        'recipients of campaigns in flight at the last stop are now unconfirmed',
      );
    }
    port = await slack.start();
  } catch (error) {
    await provider.close();
    await store.close();
    throw error;
  }
  services.campaigns.begin();

  let first = true;
  const stopCatchingUp = repeatedly(catchUpEvery, async (ending) => {
    const age = first ? 0 : stillBeingTold;
    first = false;
    await slack
      .tellRestored()
      .catch((error: unknown) => log.error({ err: error }, 'restored data could not be told of yet'));
    await slack.telling
      .catchUp(age, ending)
      .catch((error: unknown) => log.error({ err: error }, 'outcomes could not be told'));
  });
  const stopSweeping = repeatedly(sweepEvery, async () => {
    const now = clock();
    await store.campaigns
      .expire(subDays(now, settings.retentionDays), subDays(now, readyKeptDays))
      .catch((error: unknown) => log.error({ err: error }, 'what is past its retention time is still kept'));
  });

  return {
    port,
    services,
    async stop() {
      // All at once: each waits for what it has in flight, and who stops the program waits for the longest alone.
      await Promise.all([slack.stop(), stopCatchingUp(), services.campaigns.stop(), stopSweeping()]);
      await provider.close();
      await store.close();
      log.info('Switchboard has stopped');
    },
  };
}

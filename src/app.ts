import { type Clock, systemClock } from './clock.ts';
import type { Settings } from './config.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createProvider } from './provider/client.ts';
import { createServices } from './services/services.ts';
import { createSlack } from './slack/bolt.ts';
import { openStore } from './store/store.ts';

export interface RunningApp {
  /** Where it listens: all that Slack sends over HTTP, and always `/healthz`, `/readyz` and `/metrics`. */
  port: number;
  /** Takes no more requests, lets those under way end, and closes what was opened. */
  stop(): Promise<void>;
}

/** A workspace's calls have a quarter of the connections, and one of those stays free for people who wait. */
function campaignRequests(connections: number): number {
  return Math.max(1, Math.floor(connections / 4) - 1);
}

const catchUpEvery = 60_000;
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
    const cutOff = await store.ledger.recover(clock());
    if (cutOff > 0) {
      log.warn({ operations: cutOff }, 'operations under way at the last stop are now unconfirmed');
    }
    const inFlight = await store.campaigns.recover(clock());
    if (inFlight.unconfirmed > 0) {
      log.warn(
        { recipients: inFlight.unconfirmed },
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
  log.info({ port, transport: settings.slack.transport }, 'Switchboard is ready');

  const catchUp = (age: number) =>
    slack.telling
      .catchUp(age)
      .catch((error: unknown) => log.error({ err: error }, 'outcomes could not be told'));
  let catchingUp = catchUp(0);
  const timer = setInterval(() => {
    catchingUp = catchingUp.then(() => catchUp(stillBeingTold));
  }, catchUpEvery);

  return {
    port,
    async stop() {
      clearInterval(timer);
      await slack.stop();
      await catchingUp;
      await services.campaigns.stop();
      await provider.close();
      await store.close();
      log.info('Switchboard has stopped');
    },
  };
}

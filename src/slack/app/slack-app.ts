import { App, type AuthorizeSourceData } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { SystemLoad } from '../../lib/system-load.ts';
import type { Time } from '../../lib/time.ts';
import type { Timers } from '../../lib/timers.ts';
import type { Services } from '../../services/services.ts';
import type { Store } from '../../store/store.ts';
import { createFiles } from '../client/files.ts';
import { createPosting } from '../client/posting.ts';
import { webClientOptions } from '../client/web-client.ts';
import { interruptedImportMessage } from '../features/campaigns/import/interrupted-import.ts';
import { createCreatorNotifier } from '../features/campaigns/progress/creator-notifier.ts';
import { ProgressMessages } from '../features/campaigns/progress/progress-messages.ts';
import { outcomeRenderers, registerFeatures } from '../features/register-features.ts';
import { createAuthorizer } from '../middleware/authorization/authorize.ts';
import { createRouter } from '../middleware/router/router.ts';
import { createNotifier } from '../notifier/notifier.ts';
import { createOutcomeNotifier } from '../notifier/outcome-notifier.ts';
import { createRestoredNotices } from '../notifier/restored-notices.ts';
import { createUserNotices } from '../notifier/user-notices.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { healthRoutes } from './health.ts';
import { createIdentity, type Identity } from './identity.ts';
import { createLoadShedder } from './load-shedding.ts';
import { createReceiver } from './receiver.ts';
import { startupError } from './startup-errors.ts';

export interface SlackApp {
  /** Tells people all that is due in the outbox; once `ending` fires, the rest is left to the next time. */
  notify(ending: AbortSignal): Promise<void>;
  /** Puts into the outbox that the data was restored or copied, once. */
  addRestored(): Promise<void>;
  /** Takes requests from now on; gives the port of `/slack/events` or, over a socket, of `/healthz`. */
  start(): Promise<number>;
  /** Resolves when every request taken so far is done with. */
  settled(): Promise<void>;
  /** Takes no more requests, and resolves when those under way are done. */
  stop(): Promise<void>;
}

/** Everything that Slack sends, and everything that is said there, over HTTP or over a socket. */
export function createSlackApp(parts: {
  settings: Settings;
  services: Services;
  store: Store;
  metrics: Metrics;
  time: Time;
  timers: Timers;
  load: SystemLoad;
  log: Log;
}): SlackApp {
  const { settings, services, store, metrics, time, timers, log } = parts;
  const logger = createBoltLogger(log);
  const clientOptions = webClientOptions(settings.slack.apiUrl, logger);
  const client = new WebClient(settings.slack.botToken.reveal(), clientOptions);
  const identity = createIdentity(client);
  const routes = healthRoutes({
    database: () => store.ready(),
    slack: () => client.auth.test(),
    isReceiving: () => receiver.isOpen(),
    metrics: () => metrics.read(),
  });
  const receiver = createReceiver(settings, routes, log, time.elapsed);

  const app = new App({
    receiver: receiver.receiver,
    logger,
    clientOptions,
    convoStore: false,
    authorize: async (source) => {
      const own = await identity();
      if (!isFor(own, source)) {
        throw new Error('a request from another workspace');
      }
      const { teamId, botId, botUserId } = own;
      return { botToken: settings.slack.botToken.reveal(), botId, botUserId, teamId };
    },
  });
  const overload = createLoadShedder(parts.load, metrics.shed);
  app.use(overload.shed);
  app.error(async (error) => log.warn({ err: error }, 'a request was not handled'));

  const { outbox, ledger } = store;
  const posting = createPosting({ client, log });
  const notifier = createOutcomeNotifier({
    posting,
    ledger,
    outbox,
    log,
    outcomeRenderers: outcomeRenderers,
    shownNumbers: services.messages.shownNumbers,
  });
  const authorizer = createAuthorizer({
    client,
    elapsed: time.elapsed,
    teamId: async () => (await identity()).teamId,
  });
  const { commandPrefix } = settings;
  const { epoch } = store.installation;
  const router = createRouter({
    app,
    authorizer,
    log,
    commandPrefix,
    epoch,
    count: metrics.request,
    message: notifier.sendMessage,
  });
  const files = createFiles({ client, botToken: settings.slack.botToken, apiUrl: settings.slack.apiUrl });
  const stopping = new AbortController();
  const { campaigns } = services;
  const creatorNotifier = createCreatorNotifier({ posting, campaigns, outbox, log });
  const progressMessages = new ProgressMessages({
    client,
    posting,
    campaigns,
    outbox,
    creatorNotifier,
    timers,
    elapsed: time.elapsed,
    log,
  });
  const restored = createRestoredNotices({
    installation: store.installation,
    services,
    posting,
    outbox,
    workspaceId: async () => (await identity()).teamId,
    log,
  });
  const notify = createNotifier({
    outbox,
    deliver: {
      operation: notifier.deliver,
      campaign: (notice) => progressMessages.deliver(notice),
      campaign_news: creatorNotifier.deliver,
      import: createUserNotices({ posting, outbox, log, contentOf: interruptedImportMessage }),
      restored: restored.deliver,
    },
    log,
  });
  registerFeatures(router, {
    services,
    notifier,
    files,
    clock: time.now,
    elapsed: time.elapsed,
    timers,
    commandPrefix,
    stopping: stopping.signal,
    log,
  });

  return {
    notify,
    addRestored: restored.add,
    start: async () => {
      await identity().catch((error: unknown) => {
        throw startupError('SLACK_BOT_TOKEN', error);
      });
      const port = await receiver.open();
      progressMessages.start();
      return port;
    },
    settled: router.settled,
    stop: async () => {
      await receiver.close();
      overload.stop();
      stopping.abort();
      await router.settled();
      await progressMessages.stop();
    },
  };
}

/**
 * Whether a request is for this workspace. Of one that names an Enterprise Grid organisation in place of a workspace,
 * the workspace that Bolt reads is the person's: whether that person belongs here is asked at `users.info`.
 */
function isFor(
  own: Identity,
  { teamId, enterpriseId, isEnterpriseInstall }: AuthorizeSourceData<boolean>,
): boolean {
  const ofOrganisation =
    isEnterpriseInstall && own.enterpriseId !== undefined && enterpriseId === own.enterpriseId;
  return teamId === own.teamId || ofOrganisation;
}

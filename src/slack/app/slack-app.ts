import { WebClient } from '@slack/web-api';
import type { Settings } from '../../config/settings.ts';
import type { Decision } from '../../domain/access/decision.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { SystemLoad } from '../../lib/time/system-load.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Time } from '../../lib/time/trusted-time.ts';
import type { Services } from '../../services/services.ts';
import type { Store } from '../../store/store.ts';
import { createChannels } from '../client/channels.ts';
import { createFiles } from '../client/files.ts';
import { createPeople } from '../client/people.ts';
import { createUserGroups } from '../client/user-groups.ts';
import { createUserNames } from '../client/user-names.ts';
import { webClientOptions } from '../client/web-client.ts';
import { createSingleClient } from '../client/workspace-clients.ts';
import { registerFeatures } from '../features/register-features.ts';
import { createAuthorizer } from '../middleware/authorization/authorize.ts';
import { guardFiles } from '../middleware/authorization/guard-files.ts';
import { createRouter } from '../middleware/router/router.ts';
import { createBoltApp } from './bolt-app.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { healthRoutes, metricsRoute } from './health.ts';
import type { OpenPorts } from './http/ports.ts';
import { createIdentity } from './identity.ts';
import { createLoadShedder } from './load-shedding.ts';
import { createNotifications } from './notifications.ts';
import { pageRoutes } from './pages/routes.ts';
import { createReceiver } from './receiver.ts';
import { startupError } from './startup-errors.ts';

export interface SlackApp {
  /** Decides what a person may do now. */
  decide(workspaceId: string, userId: string): Promise<Decision>;
  /** Delivers all notices that are due; once `signal` is aborted, the rest is left to the next call. */
  notify(signal: AbortSignal): Promise<void>;
  /** Puts the notices that the data was restored or copied into the outbox, once. */
  addRestored(): Promise<void>;
  /** Starts receiving requests. */
  start(): Promise<OpenPorts>;
  /** Resolves when every request received so far is done. */
  settled(): Promise<void>;
  /** Stops receiving requests. Resolves when those in flight are done. */
  stop(): Promise<void>;
}

interface SlackAppOptions {
  settings: Settings;
  services: Services;
  store: Store;
  metrics: Metrics;
  time: Time;
  timers: Timers;
  load: SystemLoad;
  log: Log;
}

/** Composes the Slack side of the program: what receives requests, what handles them, and what notifies users. */
export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { settings, services, store, metrics, time, timers, load, log } = options;
  const { commandPrefix, contacts } = settings;
  const { botToken, apiUrl } = settings.slack;
  const { elapsed } = time;
  const shared = { elapsed, timers, log };

  const logger = createBoltLogger(log);
  const clientOptions = webClientOptions({ apiUrl, logger, timers });
  const client = new WebClient(botToken.reveal(), clientOptions);
  const identity = createIdentity(client);
  const teamId = async () => (await identity()).teamId;
  const clients = createSingleClient({ client, workspaceId: teamId });

  const health = healthRoutes({
    database: () => store.ready(),
    slack: () => client.auth.test(),
    isReceiving: () => receiver.isOpen(),
    elapsed,
  });
  const pages = pageRoutes({ ...settings, clock: time.now });
  const receiver = createReceiver({
    settings,
    routes: [...health, ...pages],
    metrics: metricsRoute(metrics.read),
    logger,
    ...shared,
  });
  const app = createBoltApp({ receiver: receiver.receiver, botToken, identity, clientOptions, logger, log });
  const loadShedder = createLoadShedder(load, metrics.shed);
  app.use(loadShedder.shed);

  const { outcomes, progressMessages, addRestored, notify } = createNotifications({
    clients,
    services,
    store,
    workspaceIds: async () => [await teamId()],
    ...shared,
  });
  const userGroups = createUserGroups({ clients, elapsed });
  const authorizer = createAuthorizer({
    people: createPeople({ clients, elapsed }),
    userGroups,
    grants: async (workspaceId) => (await services.access.settings(workspaceId)).grants,
    timers,
  });
  const channels = createChannels({ clients, ...shared });
  const router = createRouter({
    app,
    channels,
    authorizer,
    log,
    timers,
    commandPrefix,
    contacts,
    epoch: store.installation.epoch,
    count: metrics.request,
    message: outcomes.sendMessage,
  });
  const stopping = new AbortController();
  registerFeatures(router, {
    services,
    notifier: outcomes,
    channels,
    files: guardFiles(createFiles({ clients, apiUrl, timers }), authorizer),
    userGroups,
    userName: createUserNames({ clients, elapsed }),
    clock: time.now,
    commandPrefix,
    contacts,
    stopping: stopping.signal,
    ...shared,
  });

  return {
    decide: authorizer.decide,
    notify,
    addRestored,
    start: async () => {
      await identity().catch((error: unknown) => {
        throw startupError('SLACK_BOT_TOKEN', error);
      });
      const opened = await receiver.open();
      progressMessages.start();
      return opened;
    },
    settled: router.settled,
    stop: async () => {
      await receiver.close();
      loadShedder.stop();
      stopping.abort();
      await router.settled();
      await progressMessages.stop();
    },
  };
}

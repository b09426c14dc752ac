import type { Settings } from '../../config/settings.ts';
import type { AccessDecision } from '../../domain/access/decision.ts';
import type { Broadcast } from '../../lib/broadcast.ts';
import { createForgetting, type Forgetting } from '../../lib/forgetting.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Time } from '../../lib/time/clock.ts';
import type { SystemLoad } from '../../lib/time/system-load.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { Services } from '../../services/services.ts';
import type { Store } from '../../store/store.ts';
import { createChannels } from '../client/channels.ts';
import { createFiles } from '../client/files.ts';
import { createPeople } from '../client/people.ts';
import { createPosting } from '../client/posting.ts';
import { createSlackFetch } from '../client/slack-fetch.ts';
import { createUserGroups } from '../client/user-groups.ts';
import { createUserNames } from '../client/user-names.ts';
import { webClientOptions } from '../client/web-client.ts';
import { registerFeatures } from '../features/register-features.ts';
import { createAuthorizer } from '../middleware/authorization/authorize.ts';
import { guardFiles } from '../middleware/authorization/guard-files.ts';
import { createMissingScopeExplanation } from '../middleware/authorization/missing-scope.ts';
import { createRefusalRecorder } from '../middleware/authorization/record-refusals.ts';
import { createRouter } from '../middleware/router/router.ts';
import { createBoltApp } from './bolt-app.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { healthRoutes, metricsRoute, type ProgramPhase } from './health.ts';
import type { OpenPorts } from './http/ports.ts';
import { createOAuthAccess } from './installations/oauth-access.ts';
import { createSingleAccess } from './installations/single-access.ts';
import type { SlackAccess } from './installations/slack-access.ts';
import { createLoadShedder } from './load-shedding.ts';
import { createNotifications } from './notifications.ts';
import { createOutgoing } from './outgoing.ts';
import { optOutRoutes } from './pages/opt-out.ts';
import { pageRoutes, sendNotFound } from './pages/routes.ts';
import { createReceiver } from './receiver.ts';
import { reportsRoute } from './reports-route.ts';

export interface SlackApp {
  /** Decides what a person may do now. */
  decide(workspaceId: string, userId: string): Promise<AccessDecision>;
  /** Delivers all notices that are due; once `signal` is aborted, the rest is left to the next call. */
  notify(signal: AbortSignal): Promise<void>;
  /** Shows the campaigns whose progress message does not show what they are, or what was reported of them. */
  showUnshown(): Promise<void>;
  /** Puts the notices that the data was restored or copied into the outbox, once. */
  addRestored(): Promise<void>;
  /** Completes the removal of workspaces. */
  sweep(): Promise<void>;
  /** Asks Slack whether it still lets the app in. */
  checkInstallations(): Promise<void>;
  /** Starts receiving requests. */
  start(): Promise<OpenPorts>;
  /** Called when the whole program has started: `/readyz` says so from then on. */
  announceReady(): void;
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
  broadcast: Broadcast;
  time: Time;
  timers: Timers;
  load: SystemLoad;
  log: Log;
  /** For how long it goes on serving once it is to stop. */
  drainMs: number;
}

/** Composes the Slack side of the program: what receives requests, what handles them, and what notifies users. */
export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { settings, services, store, metrics, broadcast, time, timers, load, log } = options;
  const { commandPrefix, contacts } = settings;
  const { apiUrl } = settings.slack;
  const { elapsed } = time;
  const shared = { elapsed, timers, log };

  const logger = createBoltLogger(log);
  const outgoing = createOutgoing(settings.proxy);
  const slackFetch = createSlackFetch({ fetch: outgoing.fetch, onCall: metrics.slackCall, elapsed, log });
  const clientOptions = webClientOptions({ apiUrl, logger, timers, slackFetch });
  const forgetting = createForgetting(broadcast);
  options.services.erasure.onErased(forgetting.forget);
  const access = createAccess(options, { ...clientOptions, logger }, forgetting);
  const { clients } = access;

  const health = healthRoutes({
    database: () => store.ready(),
    slack: access.ask,
    isReceiving: () => receiver.isOpen(),
    phase: () => phase,
    elapsed,
  });
  const pages = pageRoutes({ ...settings, install: access.installPath, clock: time.now });
  const reports = reportsRoute({ reports: services.reports, count: metrics.reports });
  const receiver = createReceiver({
    settings,
    routes: [...health, ...pages, ...access.routes, ...optOutRoutes(services.optOut), reports],
    metrics: metricsRoute(metrics.read),
    answerUnknown: sendNotFound,
    clientOptions,
    agent: outgoing.agent,
    logger,
    ...shared,
  });
  const app = createBoltApp({
    receiver: receiver.receiver,
    authorize: access.authorize,
    clientOptions,
    logger,
    onAcknowledged: metrics.acknowledged,
    ...shared,
  });
  access.register(app);
  const loadShedder = createLoadShedder(load, metrics.shed);
  app.use(loadShedder.shed);

  const { outcomes, progressMessages, approvalMessages, addRestored, notify } = createNotifications({
    clients,
    posting: createPosting({ clients, log }),
    services,
    store,
    workspaceIds: access.workspaceIds,
    ...shared,
  });
  const userGroups = createUserGroups({ clients, elapsed, forgetting });
  const authorizer = createAuthorizer({
    people: createPeople({ clients, elapsed, forgetting }),
    userGroups,
    access: services.access,
    timers,
  });
  const channels = createChannels({ clients, forgetting, broadcast, ...shared });
  const router = createRouter({
    app,
    clients,
    keptForms: services.keptForms,
    forgetting,
    broadcast,
    channels,
    authorizer,
    log,
    timers,
    commandPrefix,
    contacts,
    epoch: store.installation.epoch,
    count: metrics.request,
    message: outcomes.sendMessage,
    explainMissingScope: createMissingScopeExplanation({
      recall: authorizer.recall,
      installAddress: access.installAddress,
    }),
    refused: createRefusalRecorder({ record: services.audit.record, elapsed }),
  });
  const stopping = new AbortController();
  let phase: ProgramPhase = 'starting';
  registerFeatures(router, {
    services,
    notifier: outcomes,
    channels,
    files: guardFiles(createFiles({ clients, apiUrl, timers, slackFetch }), authorizer),
    userGroups,
    userName: createUserNames({ clients, elapsed, forgetting }),
    missingGrant: access.missingGrant,
    publicOrigin: async (workspaceId) =>
      (await access.installAddress(workspaceId).catch(() => undefined))?.origin,
    forgetting,
    clock: time.now,
    commandPrefix,
    contacts,
    stopping: stopping.signal,
    ...shared,
  });

  return {
    decide: authorizer.decide,
    notify,
    showUnshown: () => progressMessages.showUnshown(),
    addRestored,
    sweep: access.sweep,
    checkInstallations: access.check,
    start: async () => {
      await access.start();
      const opened = await receiver.open();
      progressMessages.start();
      approvalMessages.start();
      return opened;
    },
    announceReady: () => {
      phase = 'running';
    },
    settled: async () => {
      await Promise.all([router.settled(), access.settled()]);
    },
    stop: async () => {
      phase = 'stopping';
      await (options.drainMs > 0 ? timers.sleep(options.drainMs) : undefined);
      await receiver.close();
      loadShedder.stop();
      stopping.abort();
      await router.settled();
      await Promise.all([progressMessages.stop(), approvalMessages.stop()]);
      await access.stop();
      await outgoing.close();
    },
  };
}

/** By the token of one workspace, or by the installations of many. */
function createAccess(
  { settings, services, store, broadcast, time, timers, log }: SlackAppOptions,
  clientOptions: Parameters<typeof createOAuthAccess>[0]['clientOptions'],
  forgetting: Forgetting,
): SlackAccess {
  const { access, apiUrl } = settings.slack;
  const hold = async (workspaceId: string) => {
    // A person who is known already could still start something.
    forgetting.forget(workspaceId);
    await services.campaigns.holdWorkspace(workspaceId);
  };
  if (access.kind === 'token') {
    const { botToken } = access;
    return createSingleAccess({ botToken, clientOptions, hold, elapsed: time.elapsed, log });
  }
  const { commandPrefix } = settings;
  return createOAuthAccess({
    oauth: access,
    apiUrl,
    commandPrefix,
    clientOptions,
    installations: store.slackInstallations,
    async forget(workspaceId) {
      await services.forget(workspaceId);
      forgetting.forget(workspaceId);
    },
    hold,
    async sending() {
      const active = await services.campaigns.listActive();
      return active.filter(({ state }) => state === 'running').map((campaign) => campaign.workspaceId);
    },
    audit: services.audit,
    broadcast,
    time,
    timers,
    log,
  });
}

import type { AccessDecision } from '../../domain/access/decision.ts';
import type { SystemLoad } from '../../lib/time/system-load.ts';
import { createChannels } from '../client/channels.ts';
import { createFiles } from '../client/files.ts';
import { createPeople } from '../client/people.ts';
import { createPosting } from '../client/posting.ts';
import type { ProgramContext, SlackContext } from '../client/slack-context.ts';
import { createSlackFetch } from '../client/slack-fetch.ts';
import { createUserGroups } from '../client/user-groups.ts';
import { createUserNames } from '../client/user-names.ts';
import { webClientOptions } from '../client/web-client.ts';
import type { WorkspaceClients } from '../client/workspace-clients.ts';
import { registerFeatures } from '../features/register-features.ts';
import { createAuthorizer } from '../middleware/authorization/authorize.ts';
import { guardFiles } from '../middleware/authorization/guard-files.ts';
import { createRouter } from '../middleware/router/router.ts';
import { createBoltApp } from './bolt-app.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { healthRoutes, metricsRoute, type ProgramPhase } from './health.ts';
import type { OpenPorts } from './http/ports.ts';
import { createOAuthAccess } from './installations/oauth-access.ts';
import { createSingleAccess } from './installations/single-access.ts';
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

/**
 * Composes the Slack side of the program: what receives requests, what handles them, and what notifies users.
 *
 * @param options.drainMs how long it goes on serving once it is to stop
 */
export function createSlackApp(
  program: ProgramContext,
  { load, drainMs }: { load: SystemLoad; drainMs: number },
): SlackApp {
  const { settings, store, services, metrics, time, timers, log } = program;
  const { apiUrl } = settings.slack;
  const { elapsed } = time;

  const logger = createBoltLogger(log);
  const outgoing = createOutgoing(settings.proxy);
  const slackFetch = createSlackFetch({ fetch: outgoing.fetch, onCall: metrics.slackCall, elapsed, log });
  const clientOptions = { ...webClientOptions({ apiUrl, logger, timers, slackFetch }), logger };
  services.erasure.onErased(program.forgetting.forget);
  const access =
    settings.slack.access.kind === 'token'
      ? createSingleAccess(program, settings.slack.access, clientOptions)
      : createOAuthAccess(program, settings.slack.access, clientOptions);
  const context = createContext(program, access.clients);

  const health = healthRoutes({
    database: () => store.ready(),
    slack: access.ask,
    isReceiving: () => receiver.isOpen(),
    phase: () => phase,
    elapsed,
  });
  const pages = pageRoutes({ ...settings, install: access.installPath, clock: time.now });
  const reports = reportsRoute({ reports: services.reports, count: metrics.reports });
  const receiver = createReceiver(context, {
    routes: [...health, ...pages, ...access.routes, ...optOutRoutes(services.optOut), reports],
    metrics: metricsRoute(metrics.read),
    answerUnknown: sendNotFound,
    clientOptions,
    agent: outgoing.agent,
  });
  const app = createBoltApp(context, {
    receiver: receiver.receiver,
    authorize: access.authorize,
    clientOptions,
  });
  access.register(app);
  const loadShedder = createLoadShedder(load, metrics.shed);
  app.use(loadShedder.shed);

  const { outcomes, progressMessages, approvalMessages, addRestored, notify } = createNotifications(
    context,
    access.workspaceIds,
  );
  const authorizer = createAuthorizer(context);
  const router = createRouter(context, {
    app,
    authorizer,
    message: outcomes.sendMessage,
    installAddress: access.installAddress,
  });
  const stopping = new AbortController();
  let phase: ProgramPhase = 'starting';
  registerFeatures(router, {
    ...context,
    notifier: outcomes,
    files: guardFiles(createFiles({ clients: access.clients, apiUrl, timers, slackFetch }), authorizer),
    missingGrant: access.missingGrant,
    publicOrigin: async (workspaceId) =>
      (await access.installAddress(workspaceId).catch(() => undefined))?.origin,
    stopping: stopping.signal,
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
      await (drainMs > 0 ? timers.sleep(drainMs) : undefined);
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

function createContext(program: ProgramContext, clients: WorkspaceClients): SlackContext {
  const { elapsed } = program.time;
  const shared = { ...program, clients, elapsed };
  return {
    ...program,
    clients,
    posting: createPosting(shared),
    channels: createChannels(shared),
    people: createPeople(shared),
    userName: createUserNames(shared),
    userGroups: createUserGroups(shared),
  };
}

import type { AccessDecision } from '../../domain/access/decision.ts';
import type { SystemLoad } from '../../lib/time/system-load.ts';
import type { HttpRoute } from '../../web/server.ts';
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
import { createAuthorizer, guardFiles } from '../middleware/authorize.ts';
import { createRouter } from '../middleware/router/router.ts';
import { createBoltApp } from './bolt-app.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { createOAuthAccess } from './installations/oauth-access.ts';
import { createSingleAccess } from './installations/single-access.ts';
import { createLoadShedder } from './load-shedding.ts';
import { createNotifications } from './notifications.ts';
import { createOutgoing } from './outgoing.ts';
import { createReceiver } from './receiver.ts';

export interface SlackApp {
  /** Where Slack sends its requests, and the pages of an installation. */
  routes: readonly HttpRoute[];
  /** Where an installation begins, for people; undefined where there is only the one workspace. */
  installPath: string | undefined;
  /** Rejects where Slack does not answer. */
  ask(): Promise<unknown>;
  /** Whether requests can be received. */
  isReceiving(): boolean;
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
  /** Called before requests are received. Throws a StartupError that says what Slack does not accept. */
  start(): Promise<void>;
  /** Starts receiving requests over the socket, if there is one, and showing what changes. */
  connect(): Promise<void>;
  /** Resolves when every request received so far is done. */
  settled(): Promise<void>;
  /** Stops receiving requests over the socket, if there is one. */
  disconnect(): Promise<void>;
  /** Called when no request is received any more. Resolves when those in flight are done. */
  stop(): Promise<void>;
}

/** Composes the Slack side of the program: what receives requests, what handles them, and what notifies users. */
export function createSlackApp(program: ProgramContext, load: SystemLoad): SlackApp {
  const { settings, services, metrics, time, timers, log } = program;
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

  const receiver = createReceiver(context, { clientOptions, agent: outgoing.agent });
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
    routes: [...receiver.routes, ...access.routes],
    installPath: access.installPath,
    ask: access.ask,
    isReceiving: receiver.isOpen,
    decide: authorizer.decide,
    notify,
    showUnshown: () => progressMessages.showUnshown(),
    addRestored,
    sweep: access.sweep,
    checkInstallations: access.check,
    start: access.start,
    async connect() {
      await receiver.open();
      progressMessages.start();
      approvalMessages.start();
    },
    async settled() {
      await Promise.all([router.settled(), access.settled()]);
    },
    disconnect: receiver.close,
    async stop() {
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

import { createAgent, createFetch, type Fetch } from '../../lib/http/proxy.ts';
import { type SystemLoad, systemLoad } from '../../lib/time/system-load.ts';
import { createChannels } from '../client/channels.ts';
import { createFiles } from '../client/files.ts';
import { createPeople } from '../client/people.ts';
import { createPosting } from '../client/posting.ts';
import type { ProgramContext, SlackContext } from '../client/slack-context.ts';
import { createUserGroups } from '../client/user-groups.ts';
import { createUserNames } from '../client/user-names.ts';
import { createSlackFetch, webClientOptions } from '../client/web-client.ts';
import type { WorkspaceClients } from '../client/workspace-clients.ts';
import { registerFeatures } from '../features/register-features.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { createAuthorizer, guardFiles } from '../middleware/authorize.ts';
import { createRouter, type Router } from '../middleware/router/router.ts';
import { createBoltApp, createBoltLogger } from './bolt-app.ts';
import { createOAuthAccess } from './installations/oauth-access.ts';
import { placeOf } from './installations/request-place.ts';
import { createSingleAccess } from './installations/single-access.ts';
import { createLoadShedder } from './load-shedding.ts';
import { createNotifications } from './notifications.ts';
import { createReceiver } from './receiver.ts';
import { slackbotRoute } from './slackbot-route.ts';

export type SlackApp = ReturnType<typeof createSlackApp>;

/** What the Slack side has of its own; passed in by tests. */
export interface SlackAppOptions {
  load?: SystemLoad | undefined;
  /** Registers commands besides the program's own. */
  register?: ((router: Router, context: AppContext) => void) | undefined;
}

/** Composes the Slack side of the program: what receives requests, what handles them, and what notifies users. */
export function createSlackApp(
  program: ProgramContext,
  { load = systemLoad, register }: SlackAppOptions = {},
) {
  const outgoing = createOutgoing(program);
  program.services.erasure.onErased(program.caches.drop);
  const { access: tokens } = program.settings.slack;
  // By the token of one workspace, or by the installations of many.
  const access =
    tokens.kind === 'token'
      ? createSingleAccess(program, tokens, outgoing.clientOptions)
      : createOAuthAccess(program, tokens, outgoing.clientOptions);
  const context = createContext(program, access.clients);
  const receiver = createReceiver(context, outgoing);
  const app = createBoltApp(context, {
    receiver: receiver.receiver,
    authorize: (_source, body) => access.authorize(placeOf(body)),
    clientOptions: outgoing.clientOptions,
  });
  access.register(app);
  const loadShedder = createLoadShedder(load, program.metrics.shed);
  app.use(loadShedder.shed);
  const { outcomes, posts, progressMessages, approvalMessages, addRestored, notify } = createNotifications(
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
  const { apiUrl } = program.settings.slack;
  const features = registerFeatures(router, {
    ...context,
    notifier: outcomes,
    posts,
    files: guardFiles(createFiles({ ...context, ...outgoing, apiUrl }), authorizer),
    missingGrant: access.missingGrant,
    stopping: stopping.signal,
  });
  register?.(router, features);
  const { verify } = receiver;
  const { authorize } = access;
  const { tools } = router;
  const slackbotRoutes =
    verify === undefined ? [] : [slackbotRoute({ verify, authorize, tools, log: context.log })];

  return {
    /** Where Slack sends its requests, and the pages of an installation. */
    routes: [...receiver.routes, ...access.routes, ...slackbotRoutes],
    /** Where an installation begins, for people; undefined where there is only the one workspace. */
    installPath: access.installPath,
    /** Rejects where Slack does not answer. */
    ask: access.ask,
    /** Whether requests can be received. */
    isReceiving: receiver.isOpen,
    /** Decides what a person may do now. */
    decide: authorizer.decide,
    /** Delivers all notices that are due; once `signal` is aborted, the rest is left to the next call. */
    notify,
    /** Updates the progress messages that lag behind their campaign's state or reports. */
    showUnshown: () => progressMessages.showUnshown(),
    /** Puts the notices that the data was restored or copied into the outbox, once. */
    addRestored,
    /** Completes the removal of workspaces. */
    sweep: access.sweep,
    /** Asks Slack whether it still lets the app in. */
    checkInstallations: access.check,
    /** Called before requests are received. Throws a StartupError that says what Slack does not accept. */
    start: access.start,
    /** Starts receiving requests over the socket, if there is one, and showing what changes. */
    async connect(): Promise<void> {
      await receiver.open();
      progressMessages.start();
      approvalMessages.start();
    },
    /** Resolves when every request received so far is done. */
    async settled(): Promise<void> {
      await Promise.all([router.settled(), access.settled()]);
    },
    /** Stops receiving requests over the socket, if there is one. */
    disconnect: receiver.close,
    /** Called when no request is received any more. Resolves when those in flight are done. */
    async stop(): Promise<void> {
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

/** In milliseconds. */
const connectTimeout = 10_000;

/** How requests reach Slack. `agent` is undefined without a proxy: Node's own is used then. */
function createOutgoing({ settings, metrics, time: { elapsed }, timers, log }: ProgramContext) {
  const { proxy, slack } = settings;
  const agent = proxy && createAgent(proxy, { connectTimeout });
  const outgoingFetch: Fetch = agent === undefined ? (...request) => fetch(...request) : createFetch(agent);
  const slackFetch = createSlackFetch({ fetch: outgoingFetch, onCall: metrics.slackCall, elapsed, log });
  const logger = createBoltLogger(log);
  return {
    slackFetch,
    clientOptions: webClientOptions({ apiUrl: slack.apiUrl, logger, timers, slackFetch }),
    agent,
    close: async (): Promise<void> => agent?.destroy(),
  };
}

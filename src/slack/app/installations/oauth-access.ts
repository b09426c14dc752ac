import type { Logger, WebClientOptions } from '@slack/web-api';
import { WebClient } from '@slack/web-api';
import type { SlackOAuth } from '../../../config/settings.ts';
import { withTimeout } from '../../../lib/time/timeout.ts';
import { isShutOut } from '../../../store/slack-installations/installation-record.ts';
import { createPosting } from '../../client/posting.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';
import { startupError } from '../startup-errors.ts';
import { allOwners } from './all-owners.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { installPath, installRoutes } from './install-routes.ts';
import { installAddressOf, missingGrantOf } from './missing-scopes.ts';
import { createOAuthParts, type OAuthParts } from './oauth-parts.ts';
import { handleRemovalEvents } from './removal-events.ts';
import { placeOf } from './request-place.ts';
import type { SlackAccess } from './slack-access.ts';
import { createInstalledClients } from './tokens/installed-clients.ts';
import { createWelcome } from './welcome.ts';

/** How long the start waits for Slack to say whether it accepts the tokens that something is sent for, in milliseconds. */
const patienceMs = 10_000;

/** Serves every workspace and enterprise that installs the app. */
export function createOAuthAccess(
  program: ProgramContext,
  oauth: SlackOAuth,
  clientOptions: WebClientOptions & { logger: Logger },
): SlackAccess {
  const { slackInstallations: installations } = program.store;
  const closing = new AbortController();
  const inFlight = createInFlight();
  const anonymous = new WebClient(undefined, clientOptions);
  const parts = createOAuthParts(program, { oauth, anonymous, closing: closing.signal });
  const { tokens, lifecycle, acceptance } = parts;
  const clients = createInstalledClients({
    tokens,
    clientOptions,
    onRefused: (ownerId) => inFlight.track(acceptance.check(ownerId)),
  });

  return {
    clients,
    authorize: createAuthorize(parts, inFlight),
    register: (app) => handleRemovalEvents(app, { lifecycle, track: inFlight.track, log: program.log }),
    routes: createRoutes(program, { oauth, clientOptions, clients, lifecycle, inFlight }),
    installPath,
    missingGrant: async (workspaceId) => missingGrantOf(await tokens.of(workspaceId)),
    installAddress: async (workspaceId) => installAddressOf(await tokens.of(workspaceId)),

    async workspaceIds() {
      const found = new Set<string>();
      for await (const ownerId of allOwners(installations)) {
        found.add(ownerId);
        for (const workspaceId of await installations.workspacesOf(ownerId)) {
          found.add(workspaceId);
        }
      }
      return [...found];
    },

    ask: () => anonymous.api.test(),

    async start() {
      await anonymous.api.test().catch((error: unknown) => {
        throw startupError('SLACK_API_URL', error);
      });
      await lifecycle.resume();
      await checkBeforeSending(program, parts);
    },

    settled: inFlight.settled,

    sweep: lifecycle.sweep,
    check: acceptance.checkAll,

    async stop() {
      closing.abort();
      await inFlight.settled();
      await tokens.settled();
    },
  };
}

/** Decides for Bolt which workspace a request is for. Throws for one that the app is not installed in. */
function createAuthorize({ covering, acceptance }: OAuthParts, inFlight: InFlight): SlackAccess['authorize'] {
  return async (_source, body) => {
    const place = placeOf(body);
    const installation = await covering.ofPlace(place);
    if (installation === undefined) {
      throw new Error('a request from a workspace that the app is not installed in');
    }
    if (isShutOut(installation, place.workspaceId ?? '')) {
      // Slack sends requests from where the app is installed: it may let the app in again.
      inFlight.track(acceptance.checkAgain(installation.ownerId));
    }
    const { botId, botUserId } = installation;
    // Not undefined: Bolt would take the workspace of the user in its place.
    return { teamId: place.workspaceId ?? '', botId, botUserId };
  };
}

/** The pages of an installation. The first one of an owner welcomes who installed it. */
function createRoutes(
  program: ProgramContext,
  parts: {
    oauth: SlackOAuth;
    clientOptions: WebClientOptions & { logger: Logger };
    clients: WorkspaceClients;
    lifecycle: OAuthParts['lifecycle'];
    inFlight: InFlight;
  },
): SlackAccess['routes'] {
  const { oauth, clientOptions, clients, lifecycle, inFlight } = parts;
  const welcome = createWelcome(program, createPosting({ clients, log: program.log }));
  return installRoutes(program, {
    oauth,
    clientOptions,
    async install(installation) {
      const isFirst = await lifecycle.install(installation);
      if (isFirst) {
        inFlight.track(welcome(installation));
      }
    },
  });
}

/** Asks about the tokens of the workspaces that something is to be sent for. Waits for Slack, but not for long. */
async function checkBeforeSending(
  { services, timers }: ProgramContext,
  { covering, acceptance }: OAuthParts,
): Promise<void> {
  const sending = (await services.campaigns.listActive()).filter(({ state }) => state === 'running');
  const serving = await Promise.all(sending.map(({ workspaceId }) => covering.ofWorkspace(workspaceId)));
  const owners = new Set(serving.flatMap((installation) => installation?.ownerId ?? []));
  const all = Promise.all(Array.from(owners, acceptance.check)).then(() => undefined);
  await withTimeout(all, patienceMs, () => undefined, timers);
}

import type { App } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { SlackOAuth } from '../../../config/settings.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import { withTimeout } from '../../../lib/time/timeout.ts';
import { isAccessRefused, type SlackInstallations } from '../../../store/workspaces/slack-installations.ts';
import { createPosting } from '../../client/posting.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import type { ClientOptions } from '../../client/web-client.ts';
import { createBotTokens } from './bot-tokens.ts';
import { createWelcome, installPath, installRoutes } from './install-routes.ts';
import { createLeases } from './leases.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createServingInstallations } from './serving-installations.ts';
import {
  createInFlight,
  type InFlight,
  missingGrantOf,
  type SlackAccess,
  startupError,
} from './slack-access.ts';
import { createInstallationCheck, createTokenChecks } from './token-checks.ts';
import {
  createInstalledClients,
  grantedWorkspaces,
  isTokenAccepted,
  refreshTokens,
} from './token-clients.ts';

/** How long the start waits for Slack to say whether it accepts the tokens that something is sent for, in milliseconds. */
const patienceMs = 10_000;

/** Serves every workspace and enterprise that installs the app. */
export function createOAuthAccess(
  program: ProgramContext,
  oauth: SlackOAuth,
  clientOptions: ClientOptions,
): SlackAccess {
  const { slackInstallations: installations } = program.store;
  const { publicAddress } = program.settings;
  const installAddress = publicAddress === undefined ? undefined : new URL(installPath, publicAddress);
  const closing = new AbortController();
  const inFlight = createInFlight();
  const anonymous = new WebClient(undefined, clientOptions);
  const deps = createOAuthDeps(program, { oauth, anonymous, closing: closing.signal });
  const { tokens, lifecycle, tokenChecks } = deps;
  const clients = createInstalledClients({
    tokens,
    clientOptions,
    onRefused: (ownerId) => inFlight.track(tokenChecks.check(ownerId)),
  });

  const welcome = createWelcome(program, createPosting({ clients, log: program.log }));

  return {
    clients,
    authorize: createAuthorize(deps, inFlight),
    register: (app) => handleRemovalEvents(app, program, { lifecycle, track: inFlight.track }),
    routes: installRoutes(program, {
      oauth,
      clientOptions,
      async install(installation) {
        const isFirst = await lifecycle.install(installation);
        if (isFirst) {
          inFlight.track(welcome(installation));
        }
      },
    }),
    installPath,
    missingGrant: async (workspaceId) => missingGrantOf(await tokens.of(workspaceId), installAddress),
    installAddress,

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
      // Asks about the tokens of the workspaces that something is to be sent for. Waits for Slack, but not for long.
      const active = await program.services.campaigns.listActive();
      const found = await Promise.all(
        active.flatMap(({ state, workspaceId }) =>
          state === 'running' ? [deps.serving.ofWorkspace(workspaceId)] : [],
        ),
      );
      const owners = new Set(found.flatMap((installation) => installation?.ownerId ?? []));
      const all = Promise.all(Array.from(owners, tokenChecks.check)).then(() => undefined);
      await withTimeout(all, patienceMs, () => undefined, program.timers);
    },

    settled: inFlight.settled,

    sweep: lifecycle.sweep,
    check: tokenChecks.checkAll,

    async stop() {
      closing.abort();
      await inFlight.settled();
      await tokens.settled();
    },
  };
}

/** Decides which workspace a request is for. Throws for one that the app is not installed in. */
function createAuthorize({ serving, tokenChecks }: OAuthDeps, inFlight: InFlight): SlackAccess['authorize'] {
  return async (place) => {
    const installation = await serving.ofPlace(place);
    if (installation === undefined) {
      throw new Error('a request from a workspace that the app is not installed in');
    }
    if (isAccessRefused(installation, place.workspaceId ?? '')) {
      // Slack sends requests from where the app is installed: it may let the app in again.
      inFlight.track(tokenChecks.checkAgain(installation.ownerId));
    }
    const { botId, botUserId } = installation;
    // Not undefined: Bolt would take the workspace of the user in its place.
    return { teamId: place.workspaceId ?? '', botId, botUserId };
  };
}

type OAuthDeps = ReturnType<typeof createOAuthDeps>;

/** What installations by OAuth consist of while the program runs. */
function createOAuthDeps(
  program: ProgramContext,
  options: { oauth: SlackOAuth; anonymous: WebClient; closing: AbortSignal },
) {
  const { oauth, anonymous, closing } = options;
  const isAccepted = (token: string) => isTokenAccepted(anonymous, token);
  const serving = createServingInstallations(program);
  const leases = createLeases(program);
  const tokens = createBotTokens(program, {
    serving,
    leases,
    refresh: (refreshToken) => refreshTokens(anonymous, oauth, refreshToken),
    closing,
  });
  const lifecycle = createLifecycle(program, { serving, leases, isAccepted });
  const grantedTo = (token: string) => grantedWorkspaces(anonymous, token);
  const tokenChecks = createTokenChecks(program, {
    askSlack: createInstallationCheck(program, { serving, leases, tokens, isAccepted, grantedTo }),
    owners: () => allOwners(program.store.slackInstallations),
    closing,
  });
  return { serving, tokens, lifecycle, tokenChecks };
}

const id = z.string().min(1).max(64);

const bodySchema = z.object({
  team_id: id.nullish(),
  enterprise_id: id.nullish(),
  /** In seconds. */
  event_time: z.number(),
  authorizations: z.array(z.object({ is_enterprise_install: z.boolean().optional() })).optional(),
  event: z.object({ tokens: z.object({ bot: z.array(id).nullish() }).optional() }),
});

/** Slack: app_uninstalled, tokens_revoked. Bolt authorizes neither: the token is not accepted any more. */
function handleRemovalEvents(
  app: App,
  { log }: ProgramContext,
  { lifecycle, track }: { lifecycle: Lifecycle; track: InFlight['track'] },
): void {
  async function end(kind: 'uninstalled' | 'revoked', body: unknown): Promise<void> {
    const event = bodySchema.safeParse(body).data;
    const isEnterpriseWide = event?.authorizations?.[0]?.is_enterprise_install === true;
    const ownerId = isEnterpriseWide ? event?.enterprise_id : (event?.team_id ?? event?.enterprise_id);
    if (event === undefined || !ownerId) {
      log.warn({ kind }, 'an event does not say which installation has ended');
      return;
    }
    const botUserIds = kind === 'revoked' ? (event.event.tokens?.bot ?? []) : undefined;
    const at = new Date(event.event_time * 1000);
    try {
      await withOrigin({ surface: 'slack' }, () => lifecycle.end({ kind, ownerId, at, botUserIds }));
    } catch (error) {
      log.error({ err: error, owner: ownerId, kind }, 'a removed installation could not be deleted yet');
    }
  }

  app.event('app_uninstalled', async ({ body }) => track(end('uninstalled', body)));
  app.event('tokens_revoked', async ({ body }) => track(end('revoked', body)));
}

/** Reads the ids of all owners, some at a time. */
async function* allOwners({ owners }: Pick<SlackInstallations, 'owners'>): AsyncGenerator<string> {
  let last: string | undefined;
  do {
    const page = await owners(last);
    yield* page;
    last = page.at(-1);
  } while (last !== undefined);
}

import { WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import type { SlackOAuth } from '../../../config/settings.ts';
import type { Log } from '../../../lib/log.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { Time } from '../../../lib/time/trusted-time.ts';
import type { AuditService } from '../../../services/audit/audit-service.ts';
import type { SlackInstallation } from '../../../store/slack-installations/installation-record.ts';
import type { SlackInstallations } from '../../../store/slack-installations/slack-installations.ts';
import { createPosting } from '../../client/posting.ts';
import { isSlackError } from '../../client/slack-errors.ts';
import { startupError } from '../startup-errors.ts';
import { createCovering } from './covering.ts';
import { installPath, installRoutes } from './install-routes.ts';
import { createInstalledClients } from './installed-clients.ts';
import { createLeases } from './leases.ts';
import { createLifecycle } from './lifecycle.ts';
import { missingScopes } from './missing-scopes.ts';
import { handleRemovalEvents } from './removal-events.ts';
import { placeOf } from './request-place.ts';
import type { SlackAccess } from './slack-access.ts';
import { createBotTokens, type RefreshedTokens } from './tokens.ts';
import { welcomeMessage } from './welcome.ts';

const refreshedSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** In seconds. */
  expires_in: z.number(),
});

/** Serves every workspace and enterprise that installs the app. */
export function createOAuthAccess(options: {
  oauth: SlackOAuth;
  apiUrl: URL | undefined;
  commandPrefix: string;
  clientOptions: WebClientOptions & Pick<Required<WebClientOptions>, 'logger'>;
  installations: SlackInstallations;
  /** Deletes everything of a workspace. */
  forget: (workspaceId: string) => Promise<void>;
  audit: AuditService;
  time: Time;
  timers: Timers;
  log: Log;
}): SlackAccess {
  const { oauth, apiUrl, commandPrefix, clientOptions, installations, time, timers, log } = options;
  const { now: clock, elapsed } = time;
  const closing = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const anonymous = new WebClient(undefined, clientOptions);
  const covering = createCovering({ installations, elapsed });
  const leases = createLeases({ installations, clock, timers });
  const tokens = createBotTokens({
    installations,
    covering,
    leases,
    refresh: (refreshToken) => refresh(anonymous, oauth, refreshToken),
    clock,
    elapsed,
    timers,
    closing: closing.signal,
    log,
  });
  const lifecycle = createLifecycle({
    installations,
    covering,
    leases,
    forget: options.forget,
    isAccepted: (token) => isAccepted(new WebClient(token, clientOptions)),
    audit: options.audit,
    clock,
    log,
  });

  const clients = createInstalledClients({ tokens, clientOptions });
  const posting = createPosting({ clients, log });

  async function welcome({ ownerId, installedBy }: SlackInstallation): Promise<void> {
    const conversation = await posting.openConversation(ownerId, installedBy);
    await posting.postMessage(ownerId, conversation, welcomeMessage(commandPrefix));
  }

  function track(work: Promise<void>): void {
    const done = work.finally(() => inFlight.delete(done));
    inFlight.add(done);
  }

  async function settled(): Promise<void> {
    await Promise.all(inFlight);
  }

  async function install(installation: SlackInstallation): Promise<void> {
    const isFirst = await lifecycle.install(installation);
    if (isFirst) {
      track(
        welcome(installation).catch((error: unknown) =>
          log.warn({ err: error }, 'an installer could not be welcomed'),
        ),
      );
    }
  }

  return {
    clients,

    async authorize(_source, body) {
      const place = placeOf(body);
      const installation = await covering.ofPlace(place);
      if (installation === undefined) {
        throw new Error('a request from a workspace that the app is not installed in');
      }
      const { botId, botUserId } = installation;
      // Not undefined: Bolt would take the workspace of the user in its place.
      return { teamId: place.workspaceId ?? '', botId, botUserId };
    },

    register: (app) => handleRemovalEvents(app, { lifecycle, track, log }),

    routes: installRoutes({
      oauth,
      apiUrl,
      clientOptions,
      commandPrefix,
      install,
      clock,
      logger: clientOptions.logger,
      log,
    }),
    installPath,

    async missingGrant(workspaceId) {
      const { scopes, expiresAt, isRefreshRefused, installAddress } = await tokens.of(workspaceId);
      const lacking = missingScopes(scopes);
      const endsAt = isRefreshRefused && expiresAt !== undefined ? new Date(expiresAt) : undefined;
      return lacking.length === 0 && endsAt === undefined
        ? undefined
        : { scopes: lacking, endsAt, installAddress: URL.parse(installAddress ?? '') ?? undefined };
    },

    async workspaceIds() {
      const owners = await installations.owners();
      const workspaces = await Promise.all(owners.map((id) => installations.workspacesOf(id)));
      return [...new Set([...owners, ...workspaces.flat()])];
    },

    ask: () => anonymous.api.test(),

    async start() {
      await anonymous.api.test().catch((error: unknown) => {
        throw startupError('SLACK_API_URL', error);
      });
      await lifecycle.resume();
    },

    settled,
    sweep: lifecycle.sweep,

    async stop() {
      closing.abort();
      await settled();
      await tokens.settled();
    },
  };
}

/** Slack: oauth.v2.access. */
async function refresh(
  client: WebClient,
  { clientId, clientSecret }: SlackOAuth,
  refreshToken: string,
): Promise<RefreshedTokens> {
  const answer = await client.oauth.v2.access({
    client_id: clientId,
    client_secret: clientSecret.reveal(),
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
  const { access_token, refresh_token, expires_in } = refreshedSchema.parse(answer);
  return { token: access_token, refreshToken: refresh_token, validForMs: expires_in * 1000 };
}

async function isAccepted(client: WebClient): Promise<boolean> {
  try {
    await client.auth.test();
    return true;
  } catch (error) {
    if (isSlackError(error, 'bad_token')) {
      return false;
    }
    throw error;
  }
}

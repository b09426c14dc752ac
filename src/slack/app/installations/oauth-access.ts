import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { SlackOAuth } from '../../../config/settings.ts';
import type { Log } from '../../../lib/log.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { Time } from '../../../lib/time/trusted-time.ts';
import type { AuditService } from '../../../services/audit/audit-service.ts';
import type { SlackInstallations } from '../../../store/slack-installations/slack-installations.ts';
import { createPosting } from '../../client/posting.ts';
import { startupError } from '../startup-errors.ts';
import { createAcceptance } from './acceptance.ts';
import { createCovering } from './covering.ts';
import { installPath, installRoutes } from './install-routes.ts';
import { createInstalledClients } from './installed-clients.ts';
import { createLeases } from './leases.ts';
import { createLifecycle } from './lifecycle.ts';
import { installAddressOf, missingGrantOf } from './missing-scopes.ts';
import { handleRemovalEvents } from './removal-events.ts';
import { placeOf } from './request-place.ts';
import type { SlackAccess } from './slack-access.ts';
import { isTokenAccepted, refreshTokens } from './token-calls.ts';
import { createBotTokens } from './tokens.ts';
import { createWelcome } from './welcome.ts';

interface OAuthAccessOptions {
  oauth: SlackOAuth;
  apiUrl: URL | undefined;
  commandPrefix: string;
  clientOptions: WebClientOptions & Pick<Required<WebClientOptions>, 'logger'>;
  installations: SlackInstallations;
  /** Deletes everything of a workspace. */
  forget: (workspaceId: string) => Promise<void>;
  /** Stops what is being sent for a workspace, and deletes nothing. */
  hold: (workspaceId: string) => Promise<void>;
  /** Returns the workspaces that something is to be sent for as soon as the program has started. */
  sending: () => Promise<readonly string[]>;
  audit: AuditService;
  time: Time;
  timers: Timers;
  log: Log;
}

/** Serves every workspace and enterprise that installs the app. */
export function createOAuthAccess(options: OAuthAccessOptions): SlackAccess {
  const { oauth, apiUrl, commandPrefix, clientOptions, installations, log } = options;
  const closing = new AbortController();
  const inFlight = createInFlight();
  const anonymous = new WebClient(undefined, clientOptions);
  const { covering, tokens, lifecycle, acceptance } = createParts(options, anonymous, closing.signal);
  const clients = createInstalledClients({
    tokens,
    clientOptions,
    onRefused: (ownerId) => inFlight.track(acceptance.check(ownerId)),
  });
  const welcome = createWelcome({ posting: createPosting({ clients, log }), commandPrefix, log });

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

    register: (app) => handleRemovalEvents(app, { lifecycle, track: inFlight.track, log }),

    routes: installRoutes({
      oauth,
      apiUrl,
      clientOptions,
      commandPrefix,
      async install(installation) {
        const isFirst = await lifecycle.install(installation);
        if (isFirst) {
          inFlight.track(welcome(installation));
        }
      },
      clock: options.time.now,
      logger: clientOptions.logger,
      log,
    }),
    installPath,
    missingGrant: async (workspaceId) => missingGrantOf(await tokens.of(workspaceId)),

    installAddress: async (workspaceId) => installAddressOf(await tokens.of(workspaceId)),

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
      await acceptance.checkBeforeSending(await options.sending());
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

/** What an installation consists of while the program runs. */
function createParts(options: OAuthAccessOptions, anonymous: WebClient, closing: AbortSignal) {
  const { oauth, clientOptions, installations, forget, hold, audit, time, timers, log } = options;
  const { now: clock, elapsed } = time;
  const isAccepted = (token: string) => isTokenAccepted(new WebClient(token, clientOptions));
  const covering = createCovering({ installations, elapsed });
  const leases = createLeases({ installations, clock, timers });
  const shared = { installations, covering, leases, clock, log };
  const tokens = createBotTokens({
    ...shared,
    refresh: (refreshToken) => refreshTokens(anonymous, oauth, refreshToken),
    elapsed,
    timers,
    closing,
  });
  const lifecycle = createLifecycle({ ...shared, forget, isAccepted, audit });
  const acceptance = createAcceptance({ ...shared, tokens, isAccepted, hold, timers, closing });
  return { covering, tokens, lifecycle, acceptance };
}

/** Work that nobody waits for, until the program stops. */
function createInFlight() {
  const inFlight = new Set<Promise<void>>();
  return {
    track(work: Promise<void>): void {
      const done = work.finally(() => inFlight.delete(done));
      inFlight.add(done);
    },
    async settled(): Promise<void> {
      await Promise.all(inFlight);
    },
  };
}

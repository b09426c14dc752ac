import { WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import type { Secret } from '../../../lib/secret.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import { createSingleClient } from '../../client/workspace-clients.ts';
import { optionalScopes, scopes } from '../manifest.ts';
import { createInFlight, isWhole, missingScopes, type SlackAccess, startupError } from './slack-access.ts';
import { createTokenChecks, holdWorkspace } from './token-checks.ts';
import { isTokenAccepted, WatchedClient } from './token-clients.ts';

/** Serves the one workspace that a bot token belongs to. */
export function createSingleAccess(
  program: ProgramContext,
  { botToken }: { botToken: Secret },
  clientOptions: WebClientOptions,
): SlackAccess {
  const closing = new AbortController();
  const inFlight = createInFlight();
  // Not watched: its answers would give rise to the same questions.
  const asking = new WebClient(botToken.reveal(), clientOptions);
  const client = new WatchedClient(botToken.reveal(), clientOptions, () => inFlight.track(checkOwn()));
  const identity = createIdentity(asking);
  const workspaceId = async () => (await identity()).teamId;
  const tokenChecks = createTokenChecks(program, {
    askSlack: createSingleTokenCheck(program, asking),
    async *owners() {
      yield await workspaceId();
    },
    closing: closing.signal,
  });

  async function checkOwn(): Promise<void> {
    const identified = await identity().catch(() => undefined);
    if (identified !== undefined) {
      await tokenChecks.check(identified.teamId);
    }
  }

  return {
    clients: createSingleClient({ client, workspaceId }),
    async authorize(place) {
      const identified = await identity();
      // A request may name an Enterprise Grid organization instead of a workspace. The authorizer decides
      // whether its user belongs here.
      const isForOrganisation =
        place.enterpriseId !== undefined && place.enterpriseId === identified.enterpriseId;
      if (place.workspaceId !== identified.teamId && !isForOrganisation) {
        throw new Error('a request from another workspace');
      }
      const { teamId, botId, botUserId } = identified;
      return { teamId, botId, botUserId };
    },
    register() {},
    routes: [],
    installPath: undefined,
    async missingGrant() {
      const { response_metadata } = await client.auth.test();
      const granted = response_metadata?.scopes ?? Object.keys({ ...scopes, ...optionalScopes });
      const lacking = missingScopes(granted);
      return isWhole(lacking) ? undefined : lacking;
    },
    installAddress: undefined,
    workspaceIds: async () => [await workspaceId()],
    ask: () => client.auth.test(),
    async start() {
      await identity().catch((error: unknown) => {
        throw startupError('SLACK_BOT_TOKEN', error);
      });
    },
    settled: inFlight.settled,
    async sweep() {},
    check: tokenChecks.checkAll,
    async stop() {
      closing.abort();
      await inFlight.settled();
    },
  };
}

/** Returns a function that asks Slack about the token, and holds its workspace where Slack refuses it. */
function createSingleTokenCheck(
  program: ProgramContext,
  client: WebClient,
): (workspaceId: string) => Promise<void> {
  let wasRefused = false;
  return async (workspaceId) => {
    const isRefused = !(await isTokenAccepted(client));
    if (isRefused !== wasRefused) {
      wasRefused = isRefused;
      program.log.warn(
        isRefused
          ? 'Slack no longer accepts SLACK_BOT_TOKEN: nothing is sent until it does, or another one is set'
          : 'Slack accepts SLACK_BOT_TOKEN again',
      );
    }
    if (isRefused) {
      await holdWorkspace(program, workspaceId);
    }
  };
}

/** The program's identity in Slack: the workspace that its bot token belongs to, and its own ids there. */
interface Identity {
  teamId: string;
  /** The Enterprise Grid organisation that the workspace is part of, if any. */
  enterpriseId?: string | undefined;
  botId: string;
  botUserId: string;
}

const identitySchema = z
  .object({
    team_id: z.string(),
    enterprise_id: z.string().nullish(),
    bot_id: z.string(),
    user_id: z.string(),
  })
  .transform(({ team_id, enterprise_id, bot_id, user_id }) => ({
    teamId: team_id,
    botId: bot_id,
    botUserId: user_id,
    enterpriseId: enterprise_id ?? undefined,
  }));

/** Asks Slack once (auth.test) and caches the answer; a failure is not cached. */
function createIdentity(client: WebClient): () => Promise<Identity> {
  let cached: Promise<Identity> | undefined;
  return () => {
    cached ??= client.auth.test().then((answer) => identitySchema.parse(answer));
    cached.catch(() => {
      cached = undefined;
    });
    return cached;
  };
}

import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Secret } from '../../../lib/secret.ts';
import { createSingleClient } from '../../client/workspace-clients.ts';
import { createIdentity, type Identity } from '../identity.ts';
import { scopes } from '../manifest.ts';
import { startupError } from '../startup-errors.ts';
import { missingScopes } from './missing-scopes.ts';
import { placeOf, type RequestPlace } from './request-place.ts';
import type { SlackAccess } from './slack-access.ts';

/** Serves the one workspace that a bot token belongs to. */
export function createSingleAccess(options: {
  botToken: Secret;
  clientOptions: WebClientOptions;
}): SlackAccess {
  const client = new WebClient(options.botToken.reveal(), options.clientOptions);
  const identity = createIdentity(client);
  const workspaceId = async () => (await identity()).teamId;
  return {
    clients: createSingleClient({ client, workspaceId }),
    async authorize(_source, body) {
      const own = await identity();
      if (!isForWorkspace(own, placeOf(body))) {
        throw new Error('a request from another workspace');
      }
      const { teamId, botId, botUserId } = own;
      return { teamId, botId, botUserId };
    },
    register() {},
    routes: [],
    installPath: undefined,
    async missingGrant() {
      const { response_metadata } = await client.auth.test();
      const lacking = missingScopes(response_metadata?.scopes ?? Object.keys(scopes));
      return lacking.length === 0 ? undefined : { scopes: lacking };
    },
    installAddress: async () => undefined,
    workspaceIds: async () => [await workspaceId()],
    ask: () => client.auth.test(),
    async start() {
      await identity().catch((error: unknown) => {
        throw startupError('SLACK_BOT_TOKEN', error);
      });
    },
    async settled() {},
    async sweep() {},
    async check() {},
    async stop() {},
  };
}

/**
 * Whether a request is for this workspace. A request may name an Enterprise Grid organisation in place of a workspace;
 * the authorizer decides whether its user belongs here.
 */
function isForWorkspace(own: Identity, { workspaceId, enterpriseId }: RequestPlace): boolean {
  const isForOrganisation = enterpriseId !== undefined && enterpriseId === own.enterpriseId;
  return workspaceId === own.teamId || isForOrganisation;
}

import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { SlackOAuth } from '../../../config/settings.ts';
import { isAccessRefused } from '../../../store/workspaces/slack-installations.ts';
import { isSlackError } from '../../client/slack-errors.ts';
import { NotInstalledError, type WorkspaceClients } from '../../client/workspace-clients.ts';
import type { BotTokens, RefreshedTokens } from './bot-tokens.ts';

const refreshedSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** In seconds. */
  expires_in: z.number(),
});

/** Slack: oauth.v2.access. */
export async function refreshTokens(
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

/**
 * Whether Slack accepts a token, or the client's own. Throws where Slack does not say. Slack: auth.test.
 *
 * @param token in place of the client's own: a client for each of very many tokens would take much memory
 */
export async function isTokenAccepted(client: WebClient, token?: string): Promise<boolean> {
  try {
    await client.auth.test(token === undefined ? {} : { token });
    return true;
  } catch (error) {
    if (isSlackError(error, 'bad_token')) {
      return false;
    }
    throw error;
  }
}

/** Slack: the most of one page of auth.teams.list. */
const teamsOfPage = 1_000;

/** Returns the ids of the workspaces that a token is let into. Slack: auth.teams.list. */
export async function grantedWorkspaces(client: WebClient, token: string): Promise<Set<string>> {
  const granted = new Set<string>();
  let cursor = '';
  do {
    const { teams, response_metadata } = await client.auth.teams.list({ token, limit: teamsOfPage, cursor });
    for (const { id = '' } of teams ?? []) {
      granted.add(id);
    }
    cursor = response_metadata?.next_cursor ?? '';
  } while (cursor !== '');
  return granted;
}

const maxClients = 1_000;

/** A client for each workspace, with the token that its installation has now. None where Slack refuses that. */
export function createInstalledClients(options: {
  tokens: BotTokens;
  clientOptions: WebClientOptions;
  /** Called with the owner of an installation whose token Slack does not accept, or not in one of its workspaces. */
  onRefused: (ownerId: string) => void;
}): WorkspaceClients {
  const { tokens, clientOptions, onRefused } = options;
  const clients = new LRUCache<string, WatchedClient>({ max: maxClients });
  return {
    async for(workspaceId) {
      const installation = await tokens.of(workspaceId);
      if (isAccessRefused(installation, workspaceId)) {
        throw new NotInstalledError();
      }
      const { token, isEnterpriseWide, ownerId } = installation;
      const known = clients.get(workspaceId);
      if (known?.token === token) {
        return known;
      }
      // The token of an enterprise is for all its workspaces: each call says for which one.
      const team = isEnterpriseWide && workspaceId !== ownerId ? { teamId: workspaceId } : {};
      const client = new WatchedClient(token, { ...clientOptions, ...team }, () => onRefused(ownerId));
      clients.set(workspaceId, client);
      return client;
    },
  };
}

/** Tells when Slack does not accept its token, or does not let it into the workspace that the call is about. */
export class WatchedClient extends WebClient {
  readonly #onRefused: () => void;

  constructor(token: string, options: WebClientOptions, onRefused: () => void) {
    super(token, options);
    this.#onRefused = onRefused;
  }

  override async apiCall(...call: Parameters<WebClient['apiCall']>): Promise<WebAPICallResult> {
    try {
      return await super.apiCall(...call);
    } catch (error) {
      if (isSlackError(error, 'bad_token') || isSlackError(error, 'no_access')) {
        this.#onRefused();
      }
      throw error;
    }
  }
}

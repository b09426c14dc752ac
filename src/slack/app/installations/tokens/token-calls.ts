import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { SlackOAuth } from '../../../../config/settings.ts';
import { isSlackError } from '../../../client/slack-errors.ts';
import type { RefreshedTokens } from './token-refresh.ts';

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

import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

/** The program's identity in Slack: the workspace that its bot token belongs to, and its own ids there. */
export interface Identity {
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
export function createIdentity(client: WebClient): () => Promise<Identity> {
  let cached: Promise<Identity> | undefined;
  return () => {
    cached ??= client.auth.test().then((answer) => identitySchema.parse(answer));
    cached.catch(() => {
      cached = undefined;
    });
    return cached;
  };
}

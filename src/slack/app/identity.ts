import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

/** Who the program is in Slack: the workspace that its bot token belongs to, and its own ids there. */
export interface Identity {
  teamId: string;
  /** The Enterprise Grid organisation that the workspace is a part of, if it is. */
  enterpriseId?: string;
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
    ...(enterprise_id == null ? {} : { enterpriseId: enterprise_id }),
  }));

/** Asks Slack once (Slack: auth.test) and remembers the answer; a failure is asked again the next time. */
export function createIdentity(client: WebClient): () => Promise<Identity> {
  let asked: Promise<Identity> | undefined;
  return () => {
    asked ??= client.auth.test().then((answer) => identitySchema.parse(answer));
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  };
}

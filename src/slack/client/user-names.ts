import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { createAsyncCache } from '../../lib/async-cache.ts';

/** Returns what a user is called in Slack; undefined where Slack does not say. */
export type UserName = (userId: string) => Promise<string | undefined>;

const userSchema = z.object({
  name: z.string().optional(),
  real_name: z.string().optional(),
  profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
});

const maxUsers = 1_000;

/** Asks Slack once for each user, until as many others have been asked for. Slack: users.info. */
export function createUserNames(client: WebClient): UserName {
  const names = createAsyncCache<string | undefined>({ max: maxUsers });

  async function ask(userId: string): Promise<string | undefined> {
    const { user } = await client.users.info({ user: userId });
    const { name, real_name, profile } = userSchema.parse(user);
    return [profile?.real_name, real_name, profile?.display_name, name].find(Boolean);
  }

  return (userId) => names.get(userId, () => ask(userId)).catch(() => undefined);
}

import { z } from 'zod';
import { createAsyncCache } from '../../lib/async-cache.ts';
import { workspaceKey } from '../../lib/workspace-caches.ts';
import type { ClientContext } from './workspace-clients.ts';

/** Returns the name of a user of a workspace in Slack; undefined if Slack doesn't say. */
export type UserName = (workspaceId: string, userId: string) => Promise<string | undefined>;

const userSchema = z.object({
  name: z.string().optional(),
  real_name: z.string().optional(),
  profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
});

const maxUsers = 1_000;
const ttlMs = 10 * 60_000;

/**
 * Asks Slack once in ten minutes for each user, also for one whom Slack does not know: a file may name them in each of its
 * rows. Slack: users.info.
 */
export function createUserNames({
  clients,
  elapsed,
  caches,
}: Pick<ClientContext, 'clients' | 'elapsed' | 'caches'>): UserName {
  const names = createAsyncCache<string | undefined>({ max: maxUsers, ttl: { ms: ttlMs, elapsed } });
  caches.add(names);

  async function ask(workspaceId: string, userId: string): Promise<string | undefined> {
    const client = await clients.for(workspaceId);
    const { user } = await client.users.info({ user: userId });
    const { name, real_name, profile } = userSchema.parse(user);
    return [profile?.real_name, real_name, profile?.display_name, name].find(Boolean);
  }

  return (workspaceId, userId) =>
    names.get(workspaceKey(workspaceId, userId), () => ask(workspaceId, userId).catch(() => undefined));
}

/** Yields the rows of a file with the name of each user, if Slack returns one. */
export async function* withUserNames<Row>(
  rows: AsyncIterable<Row>,
  userOf: (row: Row) => string | undefined,
  userName: (userId: string) => Promise<string | undefined>,
): AsyncGenerator<Row & { userName: string | undefined }> {
  for await (const row of rows) {
    const userId = userOf(row);
    yield { ...row, userName: userId === undefined ? undefined : await userName(userId) };
  }
}

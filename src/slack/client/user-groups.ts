import { z } from 'zod';
import { createAsyncCache } from '../../lib/async-cache.ts';
import { workspaceKey } from '../../lib/workspace-caches.ts';
import { slackErrorCode } from './slack-errors.ts';
import type { ClientContext } from './workspace-clients.ts';

interface ListedUserGroup {
  id: string;
  name: string;
  /** What it is mentioned by, without the at sign. */
  handle: string;
  /** The ids of its people. */
  users: ReadonlySet<string>;
}

/** `no_scope`: the app was installed without the scope `usergroups:read`. `unknown`: Slack does not say. */
export type UserGroupsAnswer =
  | { kind: 'listed'; groups: readonly ListedUserGroup[] }
  | { kind: 'no_scope' }
  | { kind: 'unknown' };

const groupsSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    handle: z.string(),
    users: z.array(z.string()).optional(),
  }),
);

/** Who leaves a group loses its roles within this time. */
const cachedForMs = 60_000;
const maxWorkspaces = 1_000;

export type UserGroups = ReturnType<typeof createUserGroups>;

/** Slack: usergroups.list with its people: one call for all groups, which a call for each would exceed Slack's limit with. */
export function createUserGroups({
  clients,
  elapsed,
  caches,
}: Pick<ClientContext, 'clients' | 'elapsed' | 'caches'>) {
  const cache = createAsyncCache<UserGroupsAnswer>({
    max: maxWorkspaces,
    ttl: { ms: cachedForMs, elapsed },
  });

  caches.add(cache);

  async function read(workspaceId: string): Promise<UserGroupsAnswer> {
    try {
      const client = await clients.for(workspaceId);
      const { usergroups } = await client.usergroups.list({ include_users: true, team_id: workspaceId });
      const groups = groupsSchema.parse(usergroups ?? []);
      return { kind: 'listed', groups: groups.map((group) => ({ ...group, users: new Set(group.users) })) };
    } catch (error) {
      if (slackErrorCode(error) === 'missing_scope') {
        return { kind: 'no_scope' };
      }
      throw error;
    }
  }

  return {
    /** Returns the workspace's groups and who is in them, as Slack said within the last minute. Never rejects. */
    list: (workspaceId: string): Promise<UserGroupsAnswer> =>
      cache
        .get(workspaceKey(workspaceId), () => read(workspaceId))
        .catch((): UserGroupsAnswer => ({ kind: 'unknown' })),
  };
}

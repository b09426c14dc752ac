import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { SlackPerson } from '../../domain/access/decision.ts';
import { isZone } from '../../domain/time/start-time.ts';
import { expireAfter } from '../../lib/async-cache.ts';
import { workspaceKey } from '../../lib/workspace-caches.ts';
import type { ClientContext } from './workspace-clients.ts';

/** A person as Slack describes them, with their time zone: an IANA name, or an offset such as `+05:30`. */
export interface DescribedPerson extends SlackPerson {
  zone: string;
}

/** Has no changes of clocks, so its offset is as good as its name. */
const lagos = { zone: 'Africa/Lagos', seconds: 60 * 60 };

const userSchema = z.object({
  team_id: z.string().optional(),
  tz: z.string().refine(isZone).optional().catch(undefined),
  /** In seconds. The zones of the world are at most 14 hours from UTC. */
  tz_offset: z
    .number()
    .min(-14 * 60 * 60)
    .max(14 * 60 * 60)
    .optional()
    .catch(undefined),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  is_owner: z.boolean().optional(),
  enterprise_user: z
    .object({
      teams: z.array(z.string()),
      is_admin: z.boolean().optional(),
      is_owner: z.boolean().optional(),
    })
    .optional(),
});

/** A person who is made a guest, or deactivated, loses access within this time. */
const cachedForMs = 60_000;
const maxPeople = 10_000;

export type People = ReturnType<typeof createPeople>;

/** Looks people up in Slack (users.info), at most once a minute each; concurrent lookups of one share a call. */
export function createPeople({
  clients,
  elapsed,
  caches,
}: Pick<ClientContext, 'clients' | 'elapsed' | 'caches'>) {
  const cache = new LRUCache<string, DescribedPerson, [workspaceId: string, userId: string]>({
    max: maxPeople,
    ...expireAfter({ ms: cachedForMs, elapsed }),
    async fetchMethod(_key, _stale, { context: [workspaceId, userId] }) {
      const client = await clients.for(workspaceId);
      const answer = await client.users.info({ user: userId });
      const user = userSchema.parse(answer.user);
      const teams = user.enterprise_user?.teams ?? [];
      // `is_admin` is of the workspace that Slack names: on Enterprise Grid that may be the person's home, which says nothing
      // of another workspace.
      const isHere = user.team_id === workspaceId;
      return {
        userId,
        isOfWorkspace: (isHere || teams.includes(workspaceId)) && user.is_stranger !== true,
        isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
        isDeactivated: user.deleted === true,
        isBot: user.is_bot === true,
        isSlackAdmin: [isHere ? user : undefined, user.enterprise_user].some(
          (rights) => rights?.is_admin === true || rights?.is_owner === true,
        ),
        zone: zoneOf(user),
      };
    },
  });
  caches.add(cache);

  return {
    /** Returns a person without asking Slack, if Slack described them within the last minute. */
    known: (workspaceId: string, userId: string): DescribedPerson | undefined =>
      cache.get(workspaceKey(workspaceId, userId)),
    /** Asks Slack, unless it is known. Rejects where Slack does not say. */
    find: (workspaceId: string, userId: string): Promise<DescribedPerson> =>
      cache.forceFetch(workspaceKey(workspaceId, userId), { context: [workspaceId, userId] }),
  };
}

/** Returns the zone that Slack names for a person. Falls back to their offset, which doesn’t follow changes of clocks. */
function zoneOf({ tz, tz_offset: seconds }: z.infer<typeof userSchema>): string {
  if (tz !== undefined || seconds === undefined) {
    return tz ?? lagos.zone;
  }
  if (seconds === lagos.seconds) {
    return lagos.zone;
  }
  const offset = new Date(Math.abs(seconds) * 1_000).toISOString().slice(11, 16);
  return seconds === 0 ? 'UTC' : `${seconds < 0 ? '-' : '+'}${offset}`;
}

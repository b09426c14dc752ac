import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Permission, permissionsOf } from '../../../domain/access/roles.ts';
import { expireAfter } from '../../../lib/async-cache.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import { withTimeout } from '../../../lib/time/timeout.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';
import { UserError } from '../errors.ts';
import type { User } from '../requests.ts';

export interface Authorizer {
  /** Whether it is known, without asking Slack, that the user is allowed. */
  isKnown(workspaceId: string | undefined, userId: string): boolean;
  /** Throws a UserError that says why the user may not use Switchboard. A user who cannot be looked up may not. */
  authorize(workspaceId: string | undefined, userId: string): Promise<User>;
}

type Person = Pick<User, 'workspaceId' | 'userId'>;

type Authorization =
  | { allowed: true; permissions: ReadonlySet<Permission>; zone: string }
  | { allowed: false; reason: string };

const userSchema = z.object({
  team_id: z.string().optional(),
  tz: z.string().refine(isZone).catch('Africa/Lagos'),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  is_owner: z.boolean().optional(),
  enterprise_user: z.object({ teams: z.array(z.string()) }).optional(),
});
type SlackUser = z.infer<typeof userSchema>;

/** A user who is made a guest, or deactivated, loses access within this time. */
const cachedForMs = 60_000;
/** A command's trigger expires after 3 s: the lookup gets a part of that. */
const timeoutMs = 1_500;
const maxUsers = 10_000;

const memberRoles = ['sender', 'buyer'] as const;

/** Looks users up in Slack (users.info), at most once a minute each; concurrent lookups of a user share one call. */
export function createAuthorizer(options: {
  clients: WorkspaceClients;
  elapsed: Stopwatch;
  timers: Timers;
}): Authorizer {
  const { clients, elapsed, timers } = options;
  async function lookUp({ workspaceId, userId }: Person): Promise<Authorization> {
    const client = await clients.for(workspaceId);
    const { user } = await client.users.info({ user: userId });
    return evaluate(userSchema.parse(user), workspaceId);
  }

  const cache = new LRUCache<string, Authorization, Person>({
    max: maxUsers,
    ...expireAfter({ ms: cachedForMs, elapsed }),
    fetchMethod: (_key, _stale, { context }) => lookUp(context),
  });

  function authorizationOf(person: Person): Authorization | Promise<Authorization> {
    const key = keyOf(person);
    // Most requests: neither a promise nor a timer.
    const cached = cache.get(key);
    if (cached !== undefined) {
      return cached;
    }
    const fetched = cache.fetch(key, { context: person }).then(
      (authorization) => authorization ?? unknown,
      () => unknown,
    );
    return withTimeout(fetched, timeoutMs, () => unknown, timers);
  }

  return {
    isKnown: (workspaceId, userId) =>
      workspaceId !== undefined && cache.get(keyOf({ workspaceId, userId }))?.allowed === true,
    async authorize(workspaceId, userId) {
      if (workspaceId === undefined || workspaceId === '') {
        throw new UserError(
          mrkdwn`Slack didn’t say which workspace this is in. Open Switchboard in your workspace, and try again there.`,
        );
      }
      // The workspace a payload names is no proof: on Enterprise Grid it may be another of the enterprise's.
      const authorization = await authorizationOf({ workspaceId, userId });
      if (!authorization.allowed) {
        throw new UserError(mrkdwn`${authorization.reason}`);
      }
      return { workspaceId, userId, permissions: authorization.permissions, zone: authorization.zone };
    },
  };
}

function keyOf({ workspaceId, userId }: Person): string {
  return JSON.stringify([workspaceId, userId]);
}

const unknown: Authorization = {
  allowed: false,
  reason: 'Slack didn’t say in time who you are. Try again in a moment.',
};

function evaluate(user: SlackUser, teamId: string): Authorization {
  const isOfTeam = user.team_id === teamId || user.enterprise_user?.teams.includes(teamId) === true;
  if (!isOfTeam || user.is_stranger) {
    return deny('Switchboard is only for members of this workspace.');
  }
  if (user.is_restricted || user.is_ultra_restricted) {
    return deny('Switchboard isn’t open to guests. Ask a full member of this workspace.');
  }
  if (user.deleted || user.is_bot) {
    return deny('Your Slack account isn’t active.');
  }
  const permissions = permissionsOf(user.is_admin || user.is_owner ? ['admin'] : memberRoles);
  return { allowed: true, permissions, zone: user.tz };
}

function deny(reason: string): Authorization {
  return { allowed: false, reason };
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

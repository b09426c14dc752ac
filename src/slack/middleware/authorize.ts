import { LRUCache } from 'lru-cache';
import { type AccessDecision, type Denial, decide } from '../../domain/access/decision.ts';
import { leastRoleWith, type Permission } from '../../domain/access/roles.ts';
import { expireAfter } from '../../lib/async-cache.ts';
import { currentOrigin } from '../../lib/request-origin.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import type { AccessService } from '../../services/access/access.ts';
import { roleNames } from '../block-kit/descriptions/workspace.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import type { Files } from '../client/files.ts';
import type { DescribedPerson } from '../client/people.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { slackErrorCode } from '../client/slack-errors.ts';
import type { UserGroupsAnswer } from '../client/user-groups.ts';
import { UserError } from './errors.ts';
import type { User } from './requests.ts';

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** A command's trigger expires after 3 s: the lookup gets a part of that. */
const timeoutMs = 1_500;

interface AuthorizerContext extends Pick<SlackContext, 'people' | 'userGroups' | 'timers'> {
  /** Replaced in tests. */
  services: { access: Pick<AccessService, 'grants' | 'recentGrants'> };
}

/** The one place that decides who a person is to Switchboard, from what Slack says and which roles are given. */
export function createAuthorizer(context: AuthorizerContext) {
  const { access } = context.services;

  return {
    /**
     * Returns who a user is, and their permissions now.
     *
     * @throws UserError that says why they may do nothing. A user who cannot be looked up may not. Throws Slack's error
     * where the app lacks the scope to look anybody up.
     */
    async authorize(workspaceId: string | undefined, userId: string): Promise<User> {
      if (workspaceId === undefined || workspaceId === '') {
        throw new UserError(
          mrkdwn`Slack didn’t say which workspace this is in. Open Switchboard in your workspace, and try again there.`,
        );
      }
      // The workspace a payload names is no proof: on Enterprise Grid it may be another of the enterprise's.
      return admit(
        context,
        { workspaceId, userId },
        await personOf(context, workspaceId, userId),
        access.grants,
      );
    },

    /**
     * Returns the user from memory; undefined if memory can't decide, or would refuse them. It asks
     * neither Slack nor, mostly, the database: a change of roles by another instance may be known five seconds late.
     */
    async recall(workspaceId: string | undefined, userId: string): Promise<User | undefined> {
      const person = workspaceId === undefined ? undefined : context.people.known(workspaceId, userId);
      return workspaceId === undefined || person === undefined
        ? undefined
        : admit(context, { workspaceId, userId }, person, access.recentGrants).catch(() => undefined);
    },

    /** Decides what a person may do now, who does not wait for it. */
    async decide(workspaceId: string, userId: string): Promise<AccessDecision> {
      const person = await Promise.resolve(personOf(context, workspaceId, userId)).catch(() => undefined);
      return decideFor(context, { workspaceId, userId }, person, access.grants);
    },
  };
}

async function admit(
  context: AuthorizerContext,
  who: { workspaceId: string; userId: string },
  person: DescribedPerson | undefined,
  grants: AccessService['grants'],
): Promise<User> {
  const decision = await decideFor(context, who, person, grants);
  if (person === undefined || decision.kind === 'refused') {
    throw new UserError(denials[decision.kind === 'refused' ? decision.why : 'unknown']);
  }
  const { roles, permissions, isPartial } = decision;
  return { ...who, roles, permissions, isPartial, zone: person.zone };
}

function personOf({ people, timers }: AuthorizerContext, workspaceId: string, userId: string) {
  // Most requests: neither a promise nor a timer.
  const known = people.known(workspaceId, userId);
  if (known !== undefined) {
    return known;
  }
  const found = people.find(workspaceId, userId).catch((error: unknown) => {
    // Retrying won't help, but an admin can fix it.
    if (slackErrorCode(error) === 'missing_scope') {
      throw error;
    }
    return undefined;
  });
  return withTimeout(found, timeoutMs, () => undefined, timers);
}

async function decideFor(
  context: AuthorizerContext,
  { workspaceId, userId }: Pick<User, 'workspaceId' | 'userId'>,
  person: DescribedPerson | undefined,
  grants: AccessService['grants'],
): Promise<AccessDecision> {
  const { userGroups, timers } = context;
  const roleGrants = person === undefined ? [] : await grants(workspaceId);
  const unknown = (): UserGroupsAnswer => ({ kind: 'unknown' });
  const listed: UserGroupsAnswer = roleGrants.some(({ to }) => to.kind === 'group')
    ? await withTimeout(userGroups.list(workspaceId), timeoutMs, unknown, timers)
    : { kind: 'listed', groups: [] };
  return decide(person, roleGrants, (groupId) => {
    switch (listed.kind) {
      case 'listed':
        return listed.groups.some(({ id, users }) => id === groupId && users.has(userId));
      // Without the scope, nobody counts as a group member, and an admin is told.
      case 'no_scope':
        return false;
      case 'unknown':
        return undefined;
    }
  });
}

const denials: Readonly<Record<Denial, Markup>> = {
  unknown: mrkdwn`Slack didn’t say in time who you are. Try again in a moment.`,
  other_workspace: mrkdwn`Switchboard is only for members of this workspace. Ask one of them.`,
  guest: mrkdwn`Switchboard isn’t open to guests. Ask a full member of this workspace.`,
  deactivated: mrkdwn`Your Slack account isn’t active. Ask an admin of this workspace.`,
  bot: mrkdwn`Apps can’t use Switchboard.`,
};

/** Throws a UserError that says which role is needed, and who gives it, unless the user has the permission. */
export function requirePermission(
  { permissions, isPartial }: Pick<User, 'permissions' | 'isPartial'>,
  needed: Permission,
): void {
  if (!permissions.has(needed)) {
    throw new UserError(isPartial ? groupsUnknown : refusal(needed));
  }
}

const groupsUnknown = mrkdwn`Slack didn’t say in time which user groups you are in. Nothing was sent or changed. Try again in a moment.`;

function refusal(needed: Permission): Markup {
  switch (needed) {
    case 'use':
      return mrkdwn`You have no role in Switchboard yet. Ask a workspace admin for one.`;
    case 'administer':
      return mrkdwn`Only admins can do this. Nothing was changed. Ask a workspace admin.`;
    default:
      return mrkdwn`Only ${roleNames[leastRoleWith(needed)]}s can do this. Nothing was sent or changed. Ask a workspace admin.`;
  }
}

/** Shares each file with a user only if they may have it when it is ready: one that took long may be for nobody any more. */
export function guardFiles(files: Files, { authorize }: Pick<Authorizer, 'authorize'>): Files {
  return {
    ...files,
    async share(workspaceId, destination, file) {
      requirePermission(await authorize(workspaceId, destination.userId), destination.needed);
      await files.share(workspaceId, destination, file);
    },
  };
}

/** Who may make a request. Refusals are recorded in the audit. */
export function createAdmission(context: SlackContext, authorizer: Authorizer) {
  const recordRefusal = createRefusalRecorder(context);

  /** Returns the user of a request. Throws a UserError if they lack the needed permission. */
  async function authorize(
    workspaceId: string | undefined,
    userId: string,
    needed: Permission,
  ): Promise<User> {
    try {
      const user = await authorizer.authorize(workspaceId, userId);
      requirePermission(user, needed);
      return user;
    } catch (error) {
      if (workspaceId !== undefined && error instanceof UserError) {
        await recordRefusal(workspaceId, userId, needed);
      }
      throw error;
    }
  }

  return {
    authorize,
    /**
     * As `authorize`, for a request that mostly shows something: from memory where that suffices, see
     * `createAuthorizer`. Nobody is refused from memory.
     */
    async admit(workspaceId: string | undefined, userId: string, needed: Permission): Promise<User> {
      const known = await authorizer.recall(workspaceId, userId);
      return known?.permissions.has(needed) ? known : authorize(workspaceId, userId, needed);
    },
  };
}

/** The same refusal is recorded once in this time: nobody fills the audit by pressing a button. */
const onceIn = 60_000;
const maxRecent = 10_000;

/** Returns a function that records that a user was refused what a request needs. It never rejects. */
function createRefusalRecorder({ services, time: { elapsed } }: SlackContext) {
  const recent = new LRUCache<string, true>({ max: maxRecent, ...expireAfter({ ms: onceIn, elapsed }) });
  return async (workspaceId: string, userId: string, needed: Permission): Promise<void> => {
    const key = JSON.stringify([workspaceId, userId, needed, currentOrigin().surface]);
    if (recent.has(key)) {
      return;
    }
    recent.set(key, true);
    await services.audit.record({
      workspaceId,
      userId,
      action: 'access.refuse',
      subject: needed,
      outcome: 'refused',
    });
  };
}

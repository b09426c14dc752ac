import { type Permission, permissionsOf, type Role } from './roles.ts';

/** Who a role is given to: every full member of the workspace, a person, or everybody of a user group. */
export type Grantee = { kind: 'everyone' } | { kind: 'person'; id: string } | { kind: 'group'; id: string };

export interface Grant {
  to: Grantee;
  role: Role;
}

/** What Slack says of a person in a workspace. */
export interface Person {
  userId: string;
  isOfWorkspace: boolean;
  /** A guest of any kind. */
  isGuest: boolean;
  isDeactivated: boolean;
  isBot: boolean;
  /** An admin or an owner of the workspace. */
  isSlackAdmin: boolean;
}

/** Why a person may do nothing, whatever roles are given. `unknown`: Slack does not say who they are. */
export type Refusal = 'unknown' | 'other_workspace' | 'guest' | 'deactivated' | 'bot';

export type Decision =
  | { kind: 'refused'; why: Refusal }
  | {
      kind: 'admitted';
      roles: ReadonlySet<Role>;
      permissions: ReadonlySet<Permission>;
      /** Whether roles may be missing, because Slack does not say who is in a user group. */
      isPartial: boolean;
    };

/**
 * Decides what a person may do. Slack's own admins are admins whatever is given, so that nobody can lock everyone out.
 *
 * @param person undefined where Slack does not say who they are
 * @param memberOf whether the person is in a user group; undefined where Slack does not say
 */
export function decide(
  person: Person | undefined,
  grants: readonly Grant[],
  memberOf: (groupId: string) => boolean | undefined,
): Decision {
  const why = refusalOf(person);
  if (person === undefined || why !== undefined) {
    return { kind: 'refused', why: why ?? 'unknown' };
  }
  const roles = new Set<Role>(person.isSlackAdmin ? ['admin'] : []);
  let isPartial = false;
  for (const { to, role } of grants) {
    const holds = isFor(to, person, memberOf);
    isPartial ||= holds === undefined;
    if (holds) {
      roles.add(role);
    }
  }
  return { kind: 'admitted', roles, permissions: permissionsOf(roles), isPartial };
}

/** Whether a person may do one thing now: `unknown` where Slack does not say who they are, or which groups they are in. */
export type Standing = 'allowed' | 'denied' | 'unknown';

export function standingOf(decision: Decision, permission: Permission): Standing {
  if (decision.kind === 'refused') {
    return decision.why === 'unknown' ? 'unknown' : 'denied';
  }
  if (decision.permissions.has(permission)) {
    return 'allowed';
  }
  return decision.isPartial ? 'unknown' : 'denied';
}

function refusalOf(person: Person | undefined): Refusal | undefined {
  if (person === undefined) {
    return 'unknown';
  }
  if (!person.isOfWorkspace) {
    return 'other_workspace';
  }
  if (person.isGuest) {
    return 'guest';
  }
  if (person.isDeactivated) {
    return 'deactivated';
  }
  return person.isBot ? 'bot' : undefined;
}

function isFor(
  to: Grantee,
  { userId }: Person,
  memberOf: (groupId: string) => boolean | undefined,
): boolean | undefined {
  switch (to.kind) {
    case 'everyone':
      return true;
    case 'person':
      return to.id === userId;
    case 'group':
      return memberOf(to.id);
  }
}

import { z } from 'zod';
import { type Permission, permissionsOf, type Role, roles } from './roles.ts';

/** Who a role is given to: every full member of the workspace, a person, or everybody of a user group. */
const granteeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('everyone') }),
  z.object({ kind: z.literal('person'), id: z.string() }),
  z.object({ kind: z.literal('group'), id: z.string() }),
]);
export type Grantee = z.infer<typeof granteeSchema>;

export const grantSchema = z.object({ to: granteeSchema, role: z.enum(roles) });
export type Grant = z.infer<typeof grantSchema>;

/** What Slack says of a person in a workspace. */
export interface SlackPerson {
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
export type Denial = 'unknown' | 'other_workspace' | 'guest' | 'deactivated' | 'bot';

export type AccessDecision =
  | { kind: 'refused'; why: Denial }
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
  person: SlackPerson | undefined,
  grants: readonly Grant[],
  memberOf: (groupId: string) => boolean | undefined,
): AccessDecision {
  const why = denialOf(person);
  if (person === undefined || why !== undefined) {
    return { kind: 'refused', why: why ?? 'unknown' };
  }
  const heldRoles = new Set<Role>(person.isSlackAdmin ? ['admin'] : []);
  let isPartial = false;
  for (const { to, role } of grants) {
    const holds = isFor(to, person, memberOf);
    isPartial ||= holds === undefined;
    if (holds) {
      heldRoles.add(role);
    }
  }
  return { kind: 'admitted', roles: heldRoles, permissions: permissionsOf(heldRoles), isPartial };
}

/** Whether a person may do one thing now: `unknown` where Slack does not say who they are, or which groups they are in. */
export type PermissionState = 'allowed' | 'denied' | 'unknown';

export function permissionState(decision: AccessDecision, permission: Permission): PermissionState {
  if (decision.kind === 'refused') {
    return decision.why === 'unknown' ? 'unknown' : 'denied';
  }
  if (decision.permissions.has(permission)) {
    return 'allowed';
  }
  return decision.isPartial ? 'unknown' : 'denied';
}

function denialOf(person: SlackPerson | undefined): Denial | undefined {
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
  { userId }: SlackPerson,
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

/** Of a workspace: each takes a block of the view that lists them. */
export const maxGrants = 80;

/** What holds until an admin sets roles: members are agents, and who installed the app is an admin. */
export function defaultGrants(installer: string | undefined): readonly Grant[] {
  const everyone: Grant = { to: { kind: 'everyone' }, role: 'agent' };
  return installer === undefined
    ? [everyone]
    : [{ to: { kind: 'person', id: installer }, role: 'admin' }, everyone];
}

/** Returns the grants with the new ones added, without duplicates. */
export function withGrants(grants: readonly Grant[], role: Role, grantees: readonly Grantee[]): Grant[] {
  const added = grantees.map((to): Grant => ({ to, role }));
  return [
    ...grants,
    ...added.filter((grant, index) => !includes(grants, grant) && !includes(added.slice(0, index), grant)),
  ];
}

export function withoutGrant(grants: readonly Grant[], removed: Grant): Grant[] {
  return grants.filter((grant) => !isSame(grant, removed));
}

function includes(grants: readonly Grant[], wanted: Grant): boolean {
  return grants.some((grant) => isSame(grant, wanted));
}

function isSame(one: Grant, other: Grant): boolean {
  return one.role === other.role && one.to.kind === other.to.kind && idOf(one.to) === idOf(other.to);
}

function idOf(to: Grantee): string {
  return to.kind === 'everyone' ? '' : to.id;
}

import type { Grant, Grantee } from './decision.ts';
import type { Role } from './roles.ts';

/** Of a workspace: each takes a block of the view that lists them. */
export const maxGrants = 80;

/** What holds until an admin sets roles: members are agents, and who installed the app is an admin. */
export function defaultGrants(installer: string | undefined): readonly Grant[] {
  const everyone: Grant = { to: { kind: 'everyone' }, role: 'agent' };
  return installer === undefined
    ? [everyone]
    : [{ to: { kind: 'person', id: installer }, role: 'admin' }, everyone];
}

/** Returns the grants with those added that are not among them. */
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

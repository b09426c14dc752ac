/** What a person may do in a workspace. Each role has the first two. */
export const permissions = [
  'use',
  'look_up',
  /** Single messages and one-time codes. */
  'send',
  'campaign',
  /** Change the templates of messages, which everyone who may send uses. */
  'templates',
  /** See eSIMs, and what installs them. */
  'esim_status',
  /** Create eSIMs and top them up. */
  'buy',
  'approve',
  'administer',
] as const;

export type Permission = (typeof permissions)[number];

/** From the one that may do the least. */
export const roles = ['viewer', 'agent', 'sender', 'buyer', 'approver', 'admin'] as const;

export type Role = (typeof roles)[number];

const viewer: readonly Permission[] = ['use', 'look_up'];
const agent: readonly Permission[] = [...viewer, 'send', 'esim_status'];

const permissionsByRole: Readonly<Record<Role, readonly Permission[]>> = {
  viewer,
  agent,
  sender: [...agent, 'campaign', 'templates'],
  buyer: [...viewer, 'esim_status', 'buy'],
  approver: [...viewer, 'approve'],
  admin: permissions,
};

/** Returns what a person with these roles may do. */
export function permissionsOf(heldRoles: Iterable<Role>): ReadonlySet<Permission> {
  return new Set([...heldRoles].flatMap((role) => permissionsByRole[role]));
}

/** Returns the role with this permission that allows the least. */
export function leastRoleWith(permission: Permission): Role {
  return roles.find((role) => permissionsByRole[role].includes(permission)) ?? 'admin';
}

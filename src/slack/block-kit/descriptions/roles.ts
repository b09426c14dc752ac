import { type Role, roles } from '../../../domain/access/roles.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** What a role allows, as short as a description of an option. */
export const roleTexts: Readonly<Record<Role, string>> = {
  viewer: 'Looks up numbers, contacts, sender IDs and plans',
  agent: 'Viewer who also sends messages and codes, and sees eSIMs',
  sender: 'Agent who also runs campaigns and changes contacts',
  buyer: 'Viewer who also sees, creates and tops up eSIMs',
  approver: 'Viewer who also approves campaigns and purchases',
  admin: 'Everything, and sets keys, roles and settings',
};

/** The roles of a person, from the one that allows the least. Of an admin, who may do everything, no other one. */
export function describeRoles(held: ReadonlySet<Role>): Markup {
  const named = held.has('admin') ? ['admin'] : roles.filter((role) => held.has(role));
  return mrkdwn`Your ${named.length === 1 ? 'role' : 'roles'}: ${named.join(', ')}`;
}

import { leastRoleWith, type Permission } from '../../../domain/access/roles.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../errors.ts';
import type { User } from '../requests.ts';

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
      return mrkdwn`You have no role in Switchboard yet. Ask an admin of this workspace for one.`;
    case 'administer':
      return mrkdwn`Only admins can do this. Nothing was changed. Ask an admin of this workspace.`;
    default:
      return mrkdwn`This needs the role *${leastRoleWith(needed)}*. Nothing was sent or changed. Ask an admin of this workspace for it.`;
  }
}

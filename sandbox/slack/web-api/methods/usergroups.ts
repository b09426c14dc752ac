import type { JsonObject } from '../../../lib/json.ts';
import { ApiError } from '../../api-error.ts';
import type { UserGroup } from '../../protocol.ts';
import type { Arguments } from '../arguments.ts';
import type { Methods } from '../method.ts';

/** Slack: usergroups.list, usergroups.users.list. */
export const usergroups: Methods = {
  'usergroups.list': {
    scopes: ['usergroups:read'],
    run: ({ workspace }, args) => ({
      usergroups: workspace.userGroups
        .filter(({ disabled }) => !disabled || args.flag('include_disabled'))
        .map((group) => groupPayload(workspace.team.id, group, args)),
    }),
  },
  'usergroups.users.list': {
    scopes: ['usergroups:read'],
    run: ({ workspace }, args) => {
      const id = args.required('usergroup');
      const group = workspace.userGroups.find((each) => each.id === id);
      if (!group || (group.disabled && !args.flag('include_disabled'))) {
        throw new ApiError('no_such_subteam');
      }
      return { users: group.users };
    },
  },
};

function groupPayload(teamId: string, group: UserGroup, args: Arguments): JsonObject {
  return {
    id: group.id,
    team_id: teamId,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: 0,
    date_update: 0,
    date_delete: group.disabled ? 1 : 0,
    user_count: group.users.length,
    ...(args.flag('include_users') && { users: group.users }),
  };
}

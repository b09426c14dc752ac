import type { JsonObject } from '../../../lib/json.ts';
import { ApiError } from '../../api-error.ts';
import type { Person, UserGroup } from '../../protocol.ts';
import type { Slack } from '../../slack.ts';
import type { Team } from '../../workspace/fixtures.ts';
import type { Arguments, Methods } from '../method.ts';
import { personIn } from './conversations.ts';

/** Slack: users.info. */
export const users: Methods = {
  'users.info': {
    scopes: ['users:read'],
    run: (caller, args) => {
      const person = personIn(caller, args.required('user'));
      return { user: userPayload(caller.slack, caller.workspace.team, person) };
    },
  },
};

function userPayload(slack: Slack, { enterprise }: Team, person: Person): JsonObject {
  const stranger = person.role === 'stranger';
  return {
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    real_name: person.realName,
    deleted: person.deactivated === true,
    tz: person.timeZone,
    tz_offset: offsetOf(person.timeZone),
    profile: { real_name: person.realName, display_name: person.name, team: person.teamId },
    is_bot: person.isBot === true,
    is_app_user: false,
    updated: 0,
    // Slack does not show the role of people from another organisation.
    ...(stranger ? { is_stranger: true } : !person.deactivated && rolePayload(person)),
    ...(!stranger &&
      enterprise && {
        enterprise_user: {
          id: person.id,
          enterprise_id: enterprise.id,
          enterprise_name: enterprise.name,
          is_admin: person.isEnterpriseAdmin === true,
          is_owner: false,
          teams: teamsOf(slack, enterprise.id, person),
        },
      }),
  };
}

function rolePayload({ role }: Person): JsonObject {
  return {
    is_admin: role === 'admin' || role === 'owner',
    is_owner: role === 'owner',
    is_primary_owner: false,
    is_restricted: role === 'guest',
    is_ultra_restricted: false,
  };
}

function teamsOf({ workspaces }: Slack, enterpriseId: string, { id, teamId }: Person): string[] {
  const teams = workspaces
    .filter(({ workspace }) => workspace.team.enterprise?.id === enterpriseId && workspace.person(id))
    .map(({ workspace }) => workspace.team.id);
  return [...new Set([...teams, teamId])];
}

/** Returns the current offset from UTC in seconds. */
function offsetOf(timeZone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = name?.match(/GMT([+-])(\d+):(\d+)/) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

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

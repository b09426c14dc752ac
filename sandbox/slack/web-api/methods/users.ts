import type { JsonObject } from '../../../lib/json.ts';
import type { Person } from '../../protocol.ts';
import type { Slack } from '../../slack.ts';
import type { Team } from '../../workspace/fixtures.ts';
import type { Methods } from '../method.ts';
import { personIn } from './lookup.ts';

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

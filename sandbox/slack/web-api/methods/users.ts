import type { JsonObject } from '../../../lib/json.ts';
import type { Person } from '../../protocol.ts';
import { enterprise, team } from '../../workspace/fixtures.ts';
import type { Methods } from '../method.ts';
import { personIn } from './lookup.ts';

/** Slack: users.info. */
export const users: Methods = {
  'users.info': {
    scopes: ['users:read'],
    run: (slack, args) => ({ user: userPayload(personIn(slack, args.required('user'))) }),
  },
};

function userPayload(person: Person): JsonObject {
  const stranger = person.role === 'stranger';
  return {
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    real_name: person.realName,
    deleted: false,
    tz: person.timeZone,
    tz_offset: offsetOf(person.timeZone),
    profile: { real_name: person.realName, display_name: person.name, team: person.teamId },
    is_bot: false,
    is_app_user: false,
    updated: 0,
    // Slack does not show the role of people from another organisation.
    ...(stranger
      ? { is_stranger: true }
      : {
          is_admin: person.role === 'admin' || person.role === 'owner',
          is_owner: person.role === 'owner',
          is_primary_owner: false,
          is_restricted: person.role === 'guest',
          is_ultra_restricted: false,
          enterprise_user: {
            id: person.id,
            enterprise_id: enterprise.id,
            enterprise_name: enterprise.name,
            is_admin: false,
            is_owner: false,
            teams: [...new Set([team.id, person.teamId])],
          },
        }),
  };
}

/** Returns the current offset from UTC in seconds. */
function offsetOf(timeZone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = name?.match(/GMT([+-])(\d+):(\d+)/) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

import type { Person, SandboxChannel } from '../protocol.ts';

/** The initial content of the workspace. */
export const team = { id: 'T0SWITCH', name: 'Sandbox', domain: 'sandbox' };

/** The Enterprise Grid organisation of the workspace, and another workspace of it. */
export const enterprise = { id: 'E0SWITCH', name: 'Sandbox Group', domain: 'sandbox-group' };
export const sisterTeam = { id: 'T0SISTER', name: 'Sister', domain: 'sister' };

/** Another organisation, which shares the channel #support. */
export const otherTeam = { id: 'T0ELSEWHERE', name: 'Elsewhere', domain: 'elsewhere' };

export const app = { id: 'A0SWITCHBOARD', botId: 'B0SWITCHBOARD', userId: 'U0SWITCHBOARD' };

export function fixturePeople(): Person[] {
  return [
    {
      id: 'U0AGENT',
      name: 'ada',
      realName: 'Ada Obi',
      role: 'member',
      teamId: team.id,
      timeZone: 'Africa/Lagos',
    },
    {
      id: 'U0ADMIN',
      name: 'grace',
      realName: 'Grace Bello',
      role: 'admin',
      teamId: team.id,
      timeZone: 'Europe/London',
    },
    {
      id: 'U0GUEST',
      name: 'guy',
      realName: 'Guy Martin',
      role: 'guest',
      teamId: team.id,
      timeZone: 'Europe/Paris',
    },
    // A member of this workspace whose home is another workspace of the enterprise.
    {
      id: 'W0SISTER',
      name: 'mia',
      realName: 'Mia Stone',
      role: 'member',
      teamId: sisterTeam.id,
      timeZone: 'Africa/Lagos',
    },
    {
      id: 'U0STRANGER',
      name: 'sam',
      realName: 'Sam Field',
      role: 'stranger',
      teamId: otherTeam.id,
      timeZone: 'America/New_York',
    },
  ];
}

export function fixtureChannels(): SandboxChannel[] {
  return [
    {
      id: 'C0SUPPORT',
      name: 'support',
      kind: 'public',
      archived: false,
      members: ['U0AGENT', 'U0ADMIN', 'U0GUEST', 'W0SISTER', 'U0STRANGER'],
      botIsMember: true,
    },
    {
      id: 'C0CAMPAIGNS',
      name: 'campaigns',
      kind: 'public',
      archived: false,
      members: ['U0AGENT', 'U0ADMIN'],
      botIsMember: false,
    },
    {
      id: 'C0OLD',
      name: 'old-news',
      kind: 'public',
      archived: true,
      members: ['U0AGENT', 'U0ADMIN', 'U0GUEST'],
      botIsMember: true,
    },
  ];
}

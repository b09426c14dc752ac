import type { Person, SandboxChannel, UserGroup } from '../protocol.ts';

/** An Enterprise Grid organisation: several workspaces of one company. */
export interface Enterprise {
  id: string;
  name: string;
  domain: string;
}

export interface Team {
  id: string;
  name: string;
  domain: string;
  enterprise?: Enterprise;
}

/** The user of an app in a workspace, or in all workspaces of an enterprise. */
export interface BotUser {
  userId: string;
  botId: string;
}

export const enterprise: Enterprise = { id: 'E0SWITCH', name: 'Sandbox Group', domain: 'sandbox-group' };

/** The first workspace, and its sister in the same enterprise. */
export const team: Team = { id: 'T0SWITCH', name: 'Sandbox', domain: 'sandbox', enterprise };
export const sisterTeam: Team = { id: 'T0SISTER', name: 'Sister', domain: 'sister', enterprise };

/** Workspaces of two other companies, without an enterprise. */
const harborTeam: Team = { id: 'T0HARBOR', name: 'Harbor', domain: 'harbor' };
const orchardTeam: Team = { id: 'T0ORCHARD', name: 'Orchard', domain: 'orchard' };

/** Another organisation, which shares the channel #support of the first workspace. Nothing can be installed there. */
export const otherTeam: Team = { id: 'T0ELSEWHERE', name: 'Elsewhere', domain: 'elsewhere' };

export const app = { id: 'A0SWITCHBOARD' };

/** The app's user under an installation in the whole enterprise. */
export const enterpriseBot: BotUser = { userId: 'W0SWITCHBOARD', botId: 'B0SWITCHGROUP' };

/** The initial content of a workspace. */
export interface WorkspaceFixture {
  team: Team;
  bot: BotUser;
  people: Person[];
  channels: SandboxChannel[];
  userGroups: UserGroup[];
}

/** Returns the workspaces, the first one first. Each call returns objects of its own. */
export function fixtureWorkspaces(): WorkspaceFixture[] {
  return [firstWorkspace(), sisterWorkspace(), harborWorkspace(), orchardWorkspace()];
}

/**
 * The first workspace, with people, channels and groups of all kinds.
 *
 * @param suffix ends every id, so that a workspace like the first can stand beside it
 */
export function firstWorkspace(suffix = ''): WorkspaceFixture {
  const own = (id: string) => `${id}${suffix}`;
  const home: Team = { ...team, id: own(team.id), domain: `${team.domain}${suffix.toLowerCase()}` };
  const person = personOf(home);
  const everyone = [
    'U0AGENT',
    'U0ADMIN',
    'U0GUEST',
    'W0SISTER',
    'U0STRANGER',
    'U0APPROVER',
    'U0MEMBER',
    'W0CHIEF',
  ];
  return {
    team: home,
    bot: { userId: own('U0SWITCHBOARD'), botId: own('B0SWITCHBOARD') },
    people: [
      person(own('U0AGENT'), 'ada', 'Ada Obi', 'member', 'Africa/Lagos'),
      person(own('U0ADMIN'), 'grace', 'Grace Bello', 'admin', 'Europe/London'),
      person(own('U0GUEST'), 'guy', 'Guy Martin', 'guest', 'Europe/Paris'),
      { ...mia(), id: own('W0SISTER') },
      personOf(otherTeam)(own('U0STRANGER'), 'sam', 'Sam Field', 'stranger', 'America/New_York'),
      person(own('U0APPROVER'), 'nneka', 'Nneka Eze', 'admin', 'Africa/Lagos'),
      person(own('U0MEMBER'), 'tunde', 'Tunde Bakare', 'member', 'Africa/Lagos'),
      { ...chidi(), id: own('W0CHIEF'), teamId: home.id },
    ],
    channels: [
      channel(own('C0SUPPORT'), 'support', everyone.map(own)),
      { ...channel(own('C0CAMPAIGNS'), 'campaigns', ['U0AGENT', 'U0ADMIN'].map(own)), botIsMember: false },
      { ...channel(own('C0OLD'), 'old-news', ['U0AGENT', 'U0ADMIN', 'U0GUEST'].map(own)), archived: true },
    ],
    userGroups: [
      group(own('S0CAMPAIGNERS'), 'campaigners', 'Campaigners', [own('U0MEMBER')]),
      group(own('S0FINANCE'), 'finance', 'Finance', ['U0APPROVER', 'U0GUEST'].map(own)),
    ],
  };
}

function sisterWorkspace(): WorkspaceFixture {
  const person = personOf(sisterTeam);
  return {
    team: sisterTeam,
    bot: { userId: 'U0SWITCHSISTER', botId: 'B0SWITCHSISTER' },
    people: [
      mia(),
      person('W0SISADMIN', 'zara', 'Zara Musa', 'admin', 'Africa/Lagos'),
      person('W0SISAGENT', 'femi', 'Femi Cole', 'member', 'Africa/Lagos'),
      person('W0SISGUEST', 'lea', 'Lea Petit', 'guest', 'Europe/Paris'),
      chidi(),
    ],
    channels: [
      channel('C0SISDESK', 'desk', ['W0SISTER', 'W0SISADMIN', 'W0SISAGENT', 'W0SISGUEST', 'W0CHIEF']),
      { ...channel('C0SISSALES', 'sales', ['W0SISTER', 'W0SISADMIN', 'W0SISAGENT']), botIsMember: false },
    ],
    userGroups: [group('S0SISTERS', 'senders', 'Senders', ['W0SISAGENT'])],
  };
}

function harborWorkspace(): WorkspaceFixture {
  const person = personOf(harborTeam);
  return {
    team: harborTeam,
    bot: { userId: 'U0SWITCHHARBOR', botId: 'B0SWITCHHARBOR' },
    people: [
      person('U0HARADMIN', 'hana', 'Hana Sato', 'admin', 'Africa/Lagos'),
      person('U0HARAGENT', 'jide', 'Jide Lawal', 'member', 'Africa/Lagos'),
      person('U0HARMEMBER', 'rosa', 'Rosa Diaz', 'member', 'Europe/Madrid'),
      person('U0HARAPPROVER', 'omar', 'Omar Haddad', 'admin', 'Africa/Cairo'),
      person('U0HARGUEST', 'kim', 'Kim Berg', 'guest', 'Europe/Oslo'),
    ],
    channels: [
      channel('C0HARDISPATCH', 'dispatch', [
        'U0HARADMIN',
        'U0HARAGENT',
        'U0HARMEMBER',
        'U0HARAPPROVER',
        'U0HARGUEST',
      ]),
      { ...channel('C0HARNEWS', 'news', ['U0HARADMIN', 'U0HARAGENT']), botIsMember: false },
    ],
    userGroups: [group('S0HARCREW', 'crew', 'Crew', ['U0HARMEMBER'])],
  };
}

function orchardWorkspace(): WorkspaceFixture {
  const person = personOf(orchardTeam);
  return {
    team: orchardTeam,
    bot: { userId: 'U0SWITCHORCHARD', botId: 'B0SWITCHORCHARD' },
    people: [
      person('U0ORCADMIN', 'abel', 'Abel Tesfaye', 'admin', 'Africa/Addis_Ababa'),
      person('U0ORCAGENT', 'ines', 'Ines Costa', 'member', 'Europe/Lisbon'),
      person('U0ORCGUEST', 'paul', 'Paul Weber', 'guest', 'Europe/Berlin'),
    ],
    channels: [channel('C0ORCSHOP', 'shop', ['U0ORCADMIN', 'U0ORCAGENT', 'U0ORCGUEST'])],
    userGroups: [],
  };
}

/** A member of both workspaces of the enterprise, at home in the sister. */
function mia(): Person {
  return personOf(sisterTeam)('W0SISTER', 'mia', 'Mia Stone', 'member', 'Africa/Lagos');
}

/** Administers the enterprise, and owns both of its workspaces. */
function chidi(): Person {
  const person = personOf(team)('W0CHIEF', 'chidi', 'Chidi Okafor', 'owner', 'Africa/Lagos');
  return { ...person, isEnterpriseAdmin: true };
}

function personOf({ id: teamId }: Team) {
  return (id: string, name: string, realName: string, role: Person['role'], timeZone: string): Person => ({
    id,
    name,
    realName,
    role,
    teamId,
    timeZone,
  });
}

function channel(id: string, name: string, members: string[]): SandboxChannel {
  return { id, name, kind: 'public', archived: false, members, botIsMember: true };
}

function group(id: string, handle: string, name: string, users: string[]): UserGroup {
  return { id, handle, name, users };
}

import { copyOf } from '../../lib/json.ts';
import type { OpenView, Person, Snapshot, WorkspaceLink } from '../protocol.ts';
import { type Slack, type SlackState, workspaceOf } from '../slack.ts';
import { requirePerson, workspacesOf } from '../user-actions/lookup.ts';
import type { HeldView, Workspace } from './workspace.ts';

/** Returns what a person sees in a workspace, by default in their first one. Throws for an unknown person. */
export function snapshotIn(slack: Slack, personId: string, team?: string): Snapshot {
  return snapshotFor(slack, stateOf(slack, personId, team), personId);
}

/** As the last of the modals in `snapshotIn`. */
export function topModalIn(slack: Slack, personId: string, team?: string): OpenView | undefined {
  const top = stateOf(slack, personId, team).workspace.stackOf(personId).at(-1);
  return top && copyOf(shown(top));
}

function stateOf(slack: Slack, personId: string, team: string | undefined): SlackState {
  const state = team === undefined ? workspacesOf(slack, personId)[0] : workspaceOf(slack, team);
  if (!state) {
    throw new Error(`There is no person ${personId}.`);
  }
  return state;
}

/**
 * As `snapshotIn`; for an unknown person or workspace, such as one of an old bookmark, and for a person of another workspace, an
 * administrator's.
 */
export function shownSnapshot(slack: Slack, personId: string, team?: string): Snapshot {
  const state =
    slack.workspaces.find(({ workspace }) => workspace.team.id === team) ??
    workspacesOf(slack, personId)[0] ??
    slack.workspaces[0];
  if (!state) {
    throw new Error('Slack has no workspace.');
  }
  return snapshotFor(slack, state, linkTo(state, personId).person);
}

/** Returns a copy of everything that one person sees. */
function snapshotFor(slack: Slack, { workspace, manifest }: SlackState, personId: string): Snapshot {
  const me = requirePerson(workspace, personId);
  const channels = workspace.channels.filter((channel) => channel.members.includes(me.id));
  const visible = new Set(channels.map((channel) => channel.id));
  const home = workspace.homes.get(me.id);
  return copyOf({
    team: { id: workspace.team.id, name: workspace.team.name },
    me,
    people: workspace.people,
    channels,
    otherChannels: workspace.channels
      .filter(({ id, kind }) => kind === 'public' && !visible.has(id))
      .map(({ id, name }) => ({ id, name })),
    messages: workspace.messages.filter(
      (message) =>
        visible.has(message.channel) && (message.onlyFor === undefined || message.onlyFor === me.id),
    ),
    modals: workspace.stackOf(me.id).map(shown),
    ...(home && { home: shown(home) }),
    commands: workspace.installation ? manifest.commands : [],
    shortcuts: workspace.installation ? manifest.shortcuts : [],
    notices: workspace.notices.get(me.id) ?? [],
    ...installationIn(workspace),
    workspaces: slack.oauth ? slack.workspaces.map((each) => linkTo(each, me.id)) : [],
  });
}

function installationIn({ installation, team }: Workspace): Pick<Snapshot, 'installation'> {
  if (!installation) {
    return {};
  }
  const { kind, id } = installation.place;
  const name = kind === 'enterprise' ? (team.enterprise?.name ?? id) : team.name;
  return { installation: { id, name } };
}

function linkTo({ workspace }: SlackState, me: string): WorkspaceLink {
  const { team, people } = workspace;
  const someone = workspace.person(me) ?? people.find(({ role }) => role === 'admin') ?? people[0];
  return {
    id: team.id,
    name: team.name,
    ...(team.enterprise && { enterprise: team.enterprise.name }),
    person: someone?.id ?? me,
  };
}

function shown({ person: _, channel: __, ...view }: HeldView): OpenView {
  return view;
}

/** Changes a person in all of their workspaces. Throws for an unknown person. */
export function changePerson(slack: Slack, id: string, change: Partial<Person>): void {
  const theirs = slack.workspaces.filter(({ workspace }) => workspace.person(id) !== undefined);
  if (theirs.length === 0) {
    throw new Error(`Nobody here is ${id}.`);
  }
  for (const { workspace } of theirs) {
    Object.assign(workspace.person(id) ?? {}, change);
    workspace.changed();
  }
}

/** Changes who is in a user group. Throws for an unknown group. */
export function changeUserGroup(slack: Slack, id: string, users: readonly string[]): void {
  for (const { workspace } of slack.workspaces) {
    const group = workspace.userGroups.find((each) => each.id === id);
    if (group) {
      group.users = [...users];
      workspace.changed();
      return;
    }
  }
  throw new Error(`There is no user group ${id}.`);
}

import type { OpenView, Snapshot } from '../protocol.ts';
import { type Slack, type SlackState, workspaceOf } from '../slack.ts';
import { workspacesOf } from '../user-actions/acting-in.ts';
import { requirePerson } from '../user-actions/lookup.ts';
import type { HeldView } from './workspace.ts';

/** Returns what a person sees in a workspace, by default in their first one. Throws for an unknown person. */
export function snapshotIn(slack: Slack, personId: string, team?: string): Snapshot {
  const state = team === undefined ? workspacesOf(slack, personId)[0] : workspaceOf(slack, team);
  if (!state) {
    throw new Error(`There is no person ${personId}.`);
  }
  return snapshotFor(state, personId);
}

/** As `snapshotIn`; for an unknown person or workspace, such as one of an old bookmark, the first one's. */
export function shownSnapshot(slack: Slack, personId: string, team?: string): Snapshot {
  const theirs = workspacesOf(slack, personId);
  const state =
    theirs.find(({ workspace }) => workspace.team.id === team) ??
    theirs[0] ??
    slack.workspaces.find(({ workspace }) => workspace.team.id === team) ??
    slack.workspaces[0];
  const person = state?.workspace.person(personId) ?? state?.workspace.people[0];
  if (!state || !person) {
    throw new Error('Slack has no workspace.');
  }
  return snapshotFor(state, person.id);
}

/** Returns a copy of everything that one person sees. */
function snapshotFor({ workspace, manifest }: SlackState, personId: string): Snapshot {
  const me = requirePerson(workspace, personId);
  const channels = workspace.channels.filter((channel) => channel.members.includes(me.id));
  const visible = new Set(channels.map((channel) => channel.id));
  const home = workspace.homes.get(me.id);
  return structuredClone({
    team: { id: workspace.team.id, name: workspace.team.name },
    me,
    people: workspace.people,
    channels,
    messages: workspace.messages.filter(
      (message) =>
        visible.has(message.channel) && (message.onlyFor === undefined || message.onlyFor === me.id),
    ),
    modals: workspace.stackOf(me.id).map(shown),
    ...(home && { home: shown(home) }),
    commands: workspace.installation ? manifest.commands : [],
    shortcuts: workspace.installation ? manifest.shortcuts : [],
    notices: workspace.notices.get(me.id) ?? [],
  });
}

function shown({ person: _, channel: __, ...view }: HeldView): OpenView {
  return view;
}

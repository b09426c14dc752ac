import type { Manifest } from '../manifest.ts';
import type { OpenView, Snapshot } from '../protocol.ts';
import { requirePerson } from '../user-actions/lookup.ts';
import { team } from './fixtures.ts';
import type { HeldView, Workspace } from './workspace.ts';

/** Returns a copy of everything that one person sees. */
export function snapshotFor(workspace: Workspace, manifest: Manifest, personId: string): Snapshot {
  const me = requirePerson(workspace, personId);
  const channels = workspace.channels.filter((channel) => channel.members.includes(me.id));
  const visible = new Set(channels.map((channel) => channel.id));
  const home = workspace.homes.get(me.id);
  return structuredClone({
    team: { id: team.id, name: team.name },
    me,
    people: workspace.people,
    channels,
    messages: workspace.messages.filter(
      (message) =>
        visible.has(message.channel) && (message.onlyFor === undefined || message.onlyFor === me.id),
    ),
    modals: workspace.stackOf(me.id).map(shown),
    ...(home && { home: shown(home) }),
    commands: manifest.commands,
    shortcuts: manifest.shortcuts,
    notices: workspace.notices.get(me.id) ?? [],
  });
}

function shown({ person: _, channel: __, ...view }: HeldView): OpenView {
  return view;
}

import type { Person } from '../protocol.ts';
import type { Slack } from '../slack.ts';

/** Changes a person in all of their workspaces. Throws for an unknown person. */
export function changePerson(slack: Slack, id: string, change: (person: Person) => void): void {
  const theirs = slack.workspaces.filter(({ workspace }) => workspace.person(id) !== undefined);
  if (theirs.length === 0) {
    throw new Error(`Nobody here is ${id}.`);
  }
  for (const { workspace } of theirs) {
    workspace.people.filter((person) => person.id === id).forEach(change);
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

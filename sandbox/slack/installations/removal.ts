import { UserActionError } from '../errors.ts';
import { reachOf, type Slack } from '../slack.ts';
import type { Installation } from './installations.ts';

/** Removes the app from its workspaces: it leaves their channels, and its views close. */
export function removeApp(slack: Slack, installation: Installation): void {
  slack.installations.remove(installation);
  for (const { workspace } of reachOf(slack, installation)) {
    workspace.modals.clear();
    workspace.homes.clear();
    for (const channel of workspace.channels) {
      channel.botIsMember = channel.kind === 'dm';
    }
    workspace.changed();
  }
}

/** Returns the installation in a workspace or an enterprise. Throws if there is none. */
export function installedAt({ installations }: Slack, id: string): Installation {
  const found = installations.at({ kind: 'workspace', id }) ?? installations.at({ kind: 'enterprise', id });
  if (!found) {
    throw new UserActionError(`The app is not installed in ${id}.`);
  }
  return found;
}

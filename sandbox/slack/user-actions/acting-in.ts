import type { UserAction } from '../protocol.ts';
import { type Slack, type SlackState, workspaceOf } from '../slack.ts';
import { findView } from '../workspace/views.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { UserActionError } from './user-action.ts';

/** Returns the workspace in which an action takes place. Throws UserActionError for an unknown person. */
export function actingIn(slack: Slack, action: UserAction): SlackState {
  if (action.team !== undefined) {
    return workspaceOf(slack, action.team);
  }
  const ofPerson = workspacesOf(slack, action.person);
  return ofPerson.find(({ workspace }) => hasPlaceOf(workspace, action)) ?? firstOf(ofPerson, action.person);
}

/** Returns the workspaces of a person, the first one first. */
export function workspacesOf({ workspaces }: Slack, person: string): SlackState[] {
  return workspaces.filter(({ workspace }) => workspace.person(person) !== undefined);
}

function firstOf([first]: SlackState[], person: string): SlackState {
  if (!first) {
    throw new UserActionError(`There is no person ${person}.`);
  }
  return first;
}

/** Whether a workspace has the channel or the view of an action. */
function hasPlaceOf(workspace: Workspace, action: UserAction): boolean {
  const container = 'container' in action ? action.container : undefined;
  const viewId = 'viewId' in action ? action.viewId : undefined;
  const channel = 'channel' in action ? action.channel : undefined;
  const message = 'message' in action ? action.message : undefined;
  const view = viewId ?? (container?.type === 'view' ? container.viewId : undefined);
  const place =
    channel ?? message?.channel ?? (container?.type === 'message' ? container.channel : undefined);
  return (
    (view !== undefined && findView(workspace, view) !== undefined) ||
    (place !== undefined && workspace.channel(place) !== undefined)
  );
}

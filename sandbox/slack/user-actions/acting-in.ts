import type { UserAction } from '../protocol.ts';
import type { Slack, SlackState } from '../slack.ts';
import { findView } from '../workspace/views.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { UserActionError } from './user-action.ts';

/** Returns the workspace in which an action takes place. Throws UserActionError for an unknown person. */
export function actingIn(slack: Slack, action: UserAction): SlackState {
  const { team, person } = action;
  const ofPerson = workspacesOf(slack, person);
  if (team !== undefined) {
    return firstOf(
      ofPerson.filter(({ workspace }) => workspace.team.id === team),
      `There is no person ${person} in ${team}.`,
    );
  }
  const named = ofPerson.find(({ workspace }) => hasPlaceOf(workspace, action));
  return named ?? firstOf(ofPerson, `There is no person ${person}.`);
}

/** Returns the workspaces of a person, the first one first. */
export function workspacesOf({ workspaces }: Slack, person: string): SlackState[] {
  return workspaces.filter(({ workspace }) => workspace.person(person) !== undefined);
}

function firstOf([first]: SlackState[], problem: string): SlackState {
  if (!first) {
    throw new UserActionError(problem);
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

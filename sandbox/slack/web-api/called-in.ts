import { ApiError } from '../api-error.ts';
import type { Installation } from '../installations/installations.ts';
import type { SlackState } from '../slack.ts';
import { findView } from '../workspace/views.ts';
import type { Arguments } from './arguments.ts';

/**
 * Returns the workspace that a call is about. A token of an enterprise reaches several: `team_id` chooses, else the channel,
 * view, file, group or person that the call names. Throws `team_access_not_granted` for a workspace that the token does not reach.
 */
export function calledIn(reach: SlackState[], { place }: Installation, args: Arguments): SlackState {
  const [first] = reach;
  if (!first) {
    throw new ApiError('team_not_found');
  }
  const team = args.text('team_id');
  if (place.kind === 'workspace') {
    return first;
  }
  if (team !== undefined && team !== place.id) {
    const chosen = reach.find(({ workspace }) => workspace.team.id === team);
    if (!chosen) {
      throw new ApiError('team_access_not_granted');
    }
    return chosen;
  }
  return reach.find((state) => names(state, args)) ?? homeOf(reach, args) ?? first;
}

function names({ workspace, triggers }: SlackState, args: Arguments): boolean {
  const has = (name: string, isThere: (id: string) => boolean): boolean => {
    const id = args.text(name);
    return id !== undefined && isThere(id);
  };
  return (
    has('channel', (id) => workspace.channel(id) !== undefined) ||
    has('channel_id', (id) => workspace.channel(id) !== undefined) ||
    has('view_id', (id) => findView(workspace, id) !== undefined) ||
    has('trigger_id', (id) => triggers.has(id)) ||
    has('file', (id) => workspace.file(id) !== undefined) ||
    has('usergroup', (id) => workspace.userGroups.some((group) => group.id === id))
  );
}

/** Returns the home workspace of the person that a call names, or any one that they are in. */
function homeOf(reach: SlackState[], args: Arguments): SlackState | undefined {
  const id = args.text('user') ?? args.text('user_id') ?? args.text('users') ?? args.text('channel');
  const theirs = reach.filter(({ workspace }) => workspace.person(id) !== undefined);
  return theirs.find(({ workspace }) => workspace.person(id)?.teamId === workspace.team.id) ?? theirs[0];
}

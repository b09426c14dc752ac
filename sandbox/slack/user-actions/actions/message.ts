import type { SlackState } from '../../slack.ts';
import { requireChannel, requirePerson } from '../lookup.ts';
import type { ActionOf, PreparedAction } from '../user-action.ts';
import { notDelivered, UserActionError } from '../user-action.ts';

/** A person writes a message, in a channel or a thread. */
export function prepareMessage(slack: SlackState, action: ActionOf<'message'>): PreparedAction {
  const { workspace } = slack;
  const person = requirePerson(workspace, action.person);
  const channel = requireChannel(workspace, person, action.channel);
  if (channel.archived) {
    throw new UserActionError(`#${channel.name} is archived.`);
  }
  workspace.post({
    channel: channel.id,
    from: person.id,
    text: escaped(action.text),
    blocks: [],
    ...(action.threadTs !== undefined && { threadTs: action.threadTs }),
  });
  return notDelivered();
}

/** Escapes `&`, `<` and `>`, which belong to Slack's syntax. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

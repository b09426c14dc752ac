import type { SlackState } from '../../slack.ts';
import { channelOfAction, personNamed } from '../lookup.ts';
import type { DeedOf, Prepared } from '../user-action.ts';
import { DeedError, notTold } from '../user-action.ts';

/** A person writes a message, in a channel or a thread. */
export function messageAction(slack: SlackState, deed: DeedOf<'message'>): Prepared {
  const { workspace } = slack;
  const person = personNamed(workspace, deed.person);
  const channel = channelOfAction(workspace, person, deed.channel);
  if (channel.archived) {
    throw new DeedError(`#${channel.name} is archived.`);
  }
  workspace.post({
    channel: channel.id,
    from: person.id,
    text: escaped(deed.text),
    blocks: [],
    ...(deed.threadTs !== undefined && { threadTs: deed.threadTs }),
  });
  return notTold();
}

/** Slack keeps `&`, `<` and `>` for its own syntax. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

import type { RepliesToPost } from '../../../services/replies/replies.ts';
import { pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** Says that messages that came in are nowhere in Slack, or go to single people; undefined where neither is so. */
export function describeToPost({ unposted, lacksChannel }: RepliesToPost): Markup | undefined {
  const them = unposted === 1 ? 'it' : 'them';
  const replies = pluralize(unposted, 'reply', 'replies');
  if (lacksChannel) {
    return unposted === 0
      ? mrkdwn`${stateIcons.unconfirmed} *Replies: choose a channel.* Until then each goes to the person who wrote to its number last.`
      : mrkdwn`${stateIcons.unconfirmed} *Replies: choose a channel.* ${replies} ${unposted === 1 ? 'waits' : 'wait'} for it, and nobody has read ${them}.`;
  }
  return unposted === 0
    ? undefined
    : mrkdwn`${stateIcons.unconfirmed} *${replies} could not be posted.* Slack refuses the channel, and nobody has read ${them}.`;
}

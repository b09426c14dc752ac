import { pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** Says that messages that came in are kept, and nowhere in Slack. */
export function describeUnposted(count: number): Markup {
  const them = count === 1 ? 'it' : 'them';
  return mrkdwn`${stateIcons.unconfirmed} *${pluralize(count, 'reply', 'replies')} could not be posted.* Slack refuses the channel, and nobody has read ${them}.`;
}

import type { Connection } from '../../../services/workspaces/connections.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../text.ts';

/** Whether a workspace is connected to the provider; by whom, when, and with which key. */
export function describeConnection(connection: Connection | undefined): Markup {
  return connection === undefined
    ? mrkdwn`:electric_plug: *Not connected.* Connect the provider with its API key to begin.`
    : mrkdwn`${stateIcons.done} *Connected* with the key that ends in \`${connection.lastFour}\`, by ${userMention(connection.by)}, ${timeFor(connection.at)}`;
}

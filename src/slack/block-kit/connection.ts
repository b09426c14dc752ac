import type { Connection } from '../../services/workspaces/workspaces.ts';
import { type Markup, mrkdwn, timeFor, userMention } from './text.ts';

/** Whether a workspace is connected to the provider; by whom, when, and with which key. */
export function describeConnection(connection: Connection | undefined): Markup {
  return connection === undefined
    ? mrkdwn`:electric_plug: *Not connected.* Connect the provider with its API key to begin.`
    : mrkdwn`:white_check_mark: *Connected* with the key that ends in \`${connection.lastFour}\`, by ${userMention(connection.by)}, ${timeFor(connection.at)}`;
}

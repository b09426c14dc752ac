import type { KnownBlock } from '@slack/types';
import type { PublicContacts } from '../../../config/settings.ts';
import { type Role, roles } from '../../../domain/access/roles.ts';
import type { RepliesToPost } from '../../../services/replies/replies.ts';
import type { Connection } from '../../../services/workspaces/workspaces.ts';
import { context } from '../build.ts';
import { pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { joinInline, link, type Markup, mrkdwn, timeFor, userMention } from '../text.ts';

/** Whether a workspace is connected to the provider; by whom, when, and with which key. */
export function describeConnection(connection: Connection | undefined): Markup {
  return connection === undefined
    ? mrkdwn`:electric_plug: *Not connected.* Connect the provider with its API key to begin.`
    : mrkdwn`${stateIcons.done} *Connected* with the key that ends in \`${connection.lastFour}\`, by ${userMention(connection.by)}, ${timeFor(connection.at)}`;
}

/** The roles as they are called on screens. *Sender* would be taken for a sender ID. */
export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'viewer',
  agent: 'agent',
  sender: 'campaign manager',
  buyer: 'buyer',
  approver: 'approver',
  admin: 'admin',
};

/** What a role allows, as short as a description of an option. */
export const roleTexts: Readonly<Record<Role, string>> = {
  viewer: 'Look up numbers, contacts, sender IDs and plans',
  agent: 'Everything a viewer can do, plus send messages and codes and see eSIMs',
  sender: 'Everything an agent can do, plus run campaigns, edit contacts and templates',
  buyer: 'Everything a viewer can do, plus see, create and top up eSIMs',
  approver: 'Everything a viewer can do, plus approve campaigns and purchases',
  admin: 'Everything, including keys, roles and settings',
};

/** The roles of a person, from the one that allows the least. Of an admin, who may do everything, no other one. */
export function describeRoles(held: ReadonlySet<Role>): Markup {
  const named: readonly Role[] = held.has('admin') ? ['admin'] : roles.filter((role) => held.has(role));
  return mrkdwn`Your ${named.length === 1 ? 'role' : 'roles'}: ${named.map((role) => roleNames[role]).join(', ')}`;
}

/** Says that messages that came in are nowhere in Slack, or go to single people; undefined where neither is so. */
export function describeToPost({ unposted, lacksChannel }: RepliesToPost): Markup | undefined {
  const them = unposted === 1 ? 'it' : 'them';
  const replies = pluralize(unposted, 'reply', 'replies');
  if (lacksChannel) {
    return unposted === 0
      ? mrkdwn`${stateIcons.unconfirmed} *Replies: choose a channel.* Until then, each reply goes to the person who last wrote to that number.`
      : mrkdwn`${stateIcons.unconfirmed} *Replies: choose a channel.* ${replies} ${unposted === 1 ? 'is' : 'are'} waiting for it, and nobody has read ${them}.`;
  }
  return unposted === 0
    ? undefined
    : mrkdwn`${stateIcons.unconfirmed} *${replies} could not be posted.* Slack refuses the channel, and nobody has read ${them}.`;
}

/** *Support · Privacy*: the pages that the people who run the app have named; nothing where they have named none. */
export function contactsLine({ supportUrl, privacyUrl }: PublicContacts): KnownBlock[] {
  const links = [
    ...(supportUrl === undefined ? [] : [link(supportUrl, 'Support')]),
    ...(privacyUrl === undefined ? [] : [link(privacyUrl, 'Privacy')]),
  ];
  return links.length === 0 ? [] : [context(joinInline(links))];
}

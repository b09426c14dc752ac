import type { ContextBlock, SectionBlock } from '@slack/types';
import { button, context, section } from '../build.ts';
import { stateIcons } from '../state-icons.ts';
import { channelMention, type Markup, mrkdwn } from '../text.ts';

/** What is known of the app's access to a channel that a user picked. */
export type ChannelAccess =
  /** The app is in it. `joined`: since the user pressed *Invite*. */
  | { kind: 'member'; joined?: boolean | undefined }
  /** A public channel that the app is not in. `canJoin`: without an invitation, see `Channels.join`. */
  | { kind: 'not_member'; canJoin: boolean }
  | { kind: 'archived' }
  /** A private channel without the app, or one that does not exist: Slack tells them apart for members only. */
  | { kind: 'not_visible' }
  /** Slack did not say: a scope is missing, or the call failed. */
  | { kind: 'unknown' };

/** The action of a field for a channel, by the messages that go there. */
export const channelActions = {
  result: 'place',
  progress: 'place_progress',
  image: 'place_image',
  approval: 'place_approval',
  alert: 'place_alert',
  replies: 'place_replies',
} as const;
export type ChannelUse = keyof typeof channelActions;

/** Returns the purpose of a field by its action; undefined if it is no field for a channel. */
export function channelUseOf(actionId: string | undefined): ChannelUse | undefined {
  return channelUses.find((use) => channelActions[use] === actionId);
}

const channelUses = [
  'result',
  'progress',
  'image',
  'approval',
  'alert',
  'replies',
] as const satisfies readonly ChannelUse[];

/** The actions of the buttons in a note. The value of each is the id of the channel. */
export const channelNoteActions = { invite: 'channel_invite', checkAgain: 'channel_check_again' } as const;

const notePrefix = 'channel_note.';

/** Recognizes a note by its block id, because Slack adds fields of its own to the blocks it sends back. */
export function isChannelNote({ block_id }: { block_id?: string | undefined }): boolean {
  return block_id?.startsWith(notePrefix) === true;
}

/** The note beneath a field with this channel; undefined if the app can post there. */
export function channelNote(
  channelId: string,
  access: ChannelAccess,
  use: ChannelUse,
): SectionBlock | ContextBlock | undefined {
  const block = describe(channelId, access, use);
  const { kind } = access;
  const variant = kind === 'not_member' && access.canJoin ? 'can_join' : kind;
  return block && { ...block, block_id: `${notePrefix}${variant}.${use}.${channelId}` };
}

function describe(
  channelId: string,
  access: ChannelAccess,
  use: ChannelUse,
): SectionBlock | ContextBlock | undefined {
  const channel = channelMention(channelId);
  switch (access.kind) {
    case 'member':
      return access.joined
        ? section(mrkdwn`${stateIcons.done} Switchboard is in ${channel} now.`)
        : undefined;
    case 'not_member': {
      const problem = mrkdwn`:warning: *Switchboard isn’t in ${channel}.* ${consequences[use]}`;
      return access.canJoin
        ? {
            ...section(problem),
            accessory: button(channelNoteActions.invite, 'Invite', { value: channelId }),
          }
        : askToInvite(problem, channelId);
    }
    case 'not_visible':
      return askToInvite(
        mrkdwn`:warning: *Switchboard can’t see this channel.* ${consequences[use]}`,
        channelId,
      );
    case 'archived':
      return section(mrkdwn`:warning: *${channel} is archived.* Choose another channel.`);
    case 'unknown':
      return context(caveats[use]);
  }
}

const consequences: Record<ChannelUse, Markup> = {
  result: mrkdwn`The result will come to you instead.`,
  progress: mrkdwn`Progress will come to you instead.`,
  image: mrkdwn`The image can’t be shared there.`,
  approval: mrkdwn`Requests can’t be posted there. Approvers see them on Home only.`,
  alert: mrkdwn`Alerts will come to you instead.`,
  replies: mrkdwn`Messages will come to you instead.`,
};

/** Where it is not known whether the app is in the channel. */
const caveats: Record<ChannelUse, Markup> = {
  result: mrkdwn`If Switchboard isn’t in the channel, the result will come to you.`,
  progress: mrkdwn`If Switchboard isn’t in the channel, progress will come to you.`,
  image: mrkdwn`If Switchboard isn’t in the channel, the image can’t be shared there.`,
  approval: mrkdwn`If Switchboard isn’t in the channel, approvers see requests on Home only.`,
  alert: mrkdwn`If Switchboard isn’t in the channel, alerts will come to you.`,
  replies: mrkdwn`If Switchboard isn’t in the channel, messages will come to you.`,
};

function askToInvite(problem: Markup, channelId: string): SectionBlock {
  return {
    ...section(mrkdwn`${problem}\nTo change that, type \`/invite @Switchboard\` in the channel.`),
    accessory: button(channelNoteActions.checkAgain, 'Check again', { value: channelId }),
  };
}

/** Where something for this channel will be: there, or with the user and why. Without a channel: with the user. */
export function describeDestination(
  channelId: string | undefined,
  access: ChannelAccess | undefined,
): Markup {
  if (channelId === undefined) {
    return ownMessages;
  }
  const channel = channelMention(channelId);
  switch (access?.kind) {
    case 'not_member':
      return mrkdwn`${ownMessages}, because Switchboard isn’t in ${channel}`;
    case 'not_visible':
      return mrkdwn`${ownMessages}, because Switchboard can’t see the channel`;
    case 'archived':
      return mrkdwn`${ownMessages}, because ${channel} is archived`;
    default:
      return channel;
  }
}

const ownMessages = mrkdwn`your messages with Switchboard`;

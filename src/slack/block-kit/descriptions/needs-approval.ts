import type { SectionBlock } from '@slack/types';
import { section } from '../build.ts';
import { stateIcons } from '../state-icons.ts';
import { channelMention, mrkdwn } from '../text.ts';

/** The submit button if approval is needed, instead of starting or buying. */
export const askForApproval = 'Ask for approval';

const sentences = {
  campaign: ['Needs', 'It doesn’t start'],
  message: ['Needs', 'It isn’t sent'],
  runs: ['Each run needs', 'No run starts'],
  purchase: ['Needs', 'Nothing is bought'],
} as const;

/** Says in which channel approval will be requested, if it's needed. */
export function approvalBlocks(
  channelId: string | undefined,
  subject: keyof typeof sentences,
): SectionBlock[] {
  const [needs, nothing] = sentences[subject];
  return channelId === undefined
    ? []
    : [
        section(
          mrkdwn`${stateIcons.approval} *${needs} approval in ${channelMention(channelId)}.* ${nothing} until a second person approves it.`,
        ),
      ];
}

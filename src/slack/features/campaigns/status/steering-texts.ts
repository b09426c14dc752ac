import type { Approval } from '../../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { loadingView } from '../../../block-kit/build.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { channelMention, type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';
import { whyRemoved } from './campaign-state.ts';

export const alreadyChanged = mrkdwn`Already ended or changed by someone else.`;

export function nobodyLeft({ counts }: Pick<Campaign, 'counts'>): Markup {
  return mrkdwn`No recipients left: all of them ${whyRemoved(counts)}. Nothing was sent.`;
}

/** The same for a campaign of another user's, so that an id alone reveals nothing. */
export const campaignGone = mrkdwn`This campaign is gone, or isn’t yours. Its creator and admins can do this.`;

/** The button that asks for approval, where it would otherwise start a campaign. */
export const askForApproval = 'Ask for approval';

/** Said before it is asked for. */
export function needsApproval(channelId: string): Markup {
  return mrkdwn`${stateIcons.approval} *Needs approval in ${channelMention(channelId)}.* It doesn’t start until a second person approves it.`;
}

/** Said of a campaign whose start waits for an approver. */
export function waitsForApproval({ expiresAt, channelId }: Approval): Markup {
  return mrkdwn`${stateIcons.approval} *Waiting for approval* in ${channelMention(channelId)} until ${timeFor(expiresAt)}.`;
}

/** In a list of campaigns. */
export const waitingHeadline = mrkdwn`${stateIcons.approval} *Waiting for approval*`;

/** While a long list is read for what is approved. */
export const startingView = loadingView('Campaign', 'Checking the list…');

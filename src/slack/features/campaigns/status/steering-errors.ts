import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { whyRemoved } from './campaign-state.ts';

export const alreadyChanged = mrkdwn`Already ended or changed by someone else.`;

export function nobodyLeft({ counts }: Pick<Campaign, 'counts'>): Markup {
  return mrkdwn`No recipients left: all of them ${whyRemoved(counts)}. Nothing was sent.`;
}

/** The same for a campaign of another user's, so that an id alone reveals nothing. */
export const campaignGone = mrkdwn`This campaign is gone, or isn’t yours. Its creator and admins can do this.`;

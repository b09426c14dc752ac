import { mrkdwn } from '../../../block-kit/text.ts';

export const alreadyChanged = mrkdwn`Already ended or changed by someone else.`;

export const nobodyLeft = mrkdwn`No recipients left: all of them are on the do-not-contact list. Nothing was sent.`;

/** The same for a campaign of another user's, so that an id alone reveals nothing. */
export const campaignGone = mrkdwn`This campaign is gone, or isn’t yours. Its creator and admins can do this.`;

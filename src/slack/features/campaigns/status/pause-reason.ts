import { describeFailure } from '../../../../services/operations/describe-failure.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import { notSentCount } from './campaign-state.ts';

/** Why a campaign is paused: what happened, unless a user paused it; how many were not sent anything; how it goes on. */
export function pauseReason(campaign: Campaign): Markup {
  const { pause } = campaign;
  const waiting = mrkdwn`${pluralize(notSentCount(campaign), 'recipient')} not sent yet.`;
  if (pause?.by === 'person') {
    return mrkdwn`${[waiting, mrkdwn`Nothing more is sent until somebody resumes the campaign.`]}`;
  }
  const { happened, next } = describeFailure(pause?.error);
  const how = resumeHint(pause?.error?.reason) ?? next;
  return mrkdwn`${[mrkdwn`${stateIcons.unconfirmed} ${happened}`, waiting, how]}`;
}

/** The sender ID and the route of a campaign cannot change once it has begun. */
function resumeHint(reason: string | undefined): string | undefined {
  switch (reason) {
    case 'balance_too_low':
      return 'Top up the account, then resume.';
    case 'bad_key':
      return 'Ask an admin to reconnect the provider, then resume.';
    case 'sender_id_unknown':
      return 'Resume once the provider has approved the sender ID. Or cancel, and resend with another one.';
    case 'no_route':
      return 'Resume once the provider has activated the route. Or cancel, and resend on another one.';
    case 'budget':
    case 'country':
    case 'not_connected':
    case 'unclear_answers':
    case 'restored':
    case 'not_permitted':
      return undefined;
    default:
      return 'Fix the cause, then resume. Or cancel.';
  }
}

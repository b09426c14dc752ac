import { isBilledByPage, routeSchema } from '../../../../domain/messages/routes.ts';
import type { CostOfRest } from '../../../../services/costs/charges.ts';
import { describeFailure } from '../../../../services/operations/describe-failure.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { formatMoney, formatPrice, pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';

/** Whether a campaign is paused because the balance is too low. */
export function lacksBalance({ state, pause }: Campaign): boolean {
  return state === 'paused' && pause?.error?.reason === balanceTooLow;
}

/** Why a campaign is paused: what happened, unless a user paused it; what the rest needs; how it goes on. */
export function pauseReason(campaign: Campaign, rest: CostOfRest | undefined): Markup {
  const { pause } = campaign;
  if (pause?.by === 'person') {
    return mrkdwn`Nothing more is sent until somebody resumes the campaign.`;
  }
  const { happened, next } = describeFailure(pause?.error);
  const how = resumeHint(pause?.error?.reason) ?? next;
  const needed =
    rest === undefined || !lacksBalance(campaign)
      ? []
      : [describeRest(campaign, rest, mrkdwn` for ${pluralize(rest.recipients, 'recipient')}`)];
  return mrkdwn`${[mrkdwn`${stateIcons.unconfirmed} ${happened}`, ...needed, how]}`;
}

/** @param whom follows the sum */
export function describeRest({ route }: Campaign, { total, perPage }: CostOfRest, whom = mrkdwn``): Markup {
  const unit = isBilledByPage(routeSchema.parse(route)) ? 'a page' : 'each';
  return mrkdwn`The rest needs about ${formatMoney(total)}${whom} at ${formatPrice(perPage)} ${unit}.`;
}

const balanceTooLow = 'balance_too_low';

/** The sender ID and the route of a campaign cannot change once it has begun. */
function resumeHint(reason: string | undefined): string | undefined {
  switch (reason) {
    case balanceTooLow:
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

import { isBilledByPage, routeSchema } from '../../../../domain/messages/routes.ts';
import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import type { CostOfRest } from '../../../../services/costs/estimate.ts';
import { describeFailure } from '../../../../services/operations/outcomes.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { present } from '../../../block-kit/build.ts';
import { startWithLagos } from '../../../block-kit/descriptions/campaign-counts.ts';
import { formatDuration, formatMoney, formatPrice, pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { isOver } from './campaign-state.ts';

/** What the user should know beyond the counts. */
export function statusRemarks(
  campaign: Campaign,
  throughput: CampaignThroughput,
  rest: CostOfRest | undefined,
): Markup[] {
  const { state, counts, pause, latestStart, startAt, startedAt, lastActionBy, zone } = campaign;
  const isPausedByProvider = state === 'paused' && pause?.by === 'provider';
  const late = startAt !== undefined && startedAt !== undefined ? startedAt.getTime() - startAt.getTime() : 0;
  return present(
    state === 'paused' && pauseReason(campaign, rest),
    state === 'repeating' &&
      startAt !== undefined &&
      mrkdwn`Each run is a campaign of its own, from 12 hours before it starts. The next one to come: ${startWithLagos(startAt, zone)}.`,
    state === 'running' &&
      throughput.waitsUntil !== undefined &&
      mrkdwn`${stateIcons.underway} *Waiting until ${timeFor(throughput.waitsUntil)}.* ${throughput.lastProblem === undefined ? '' : describeFailure(throughput.lastProblem).happened}`,
    state === 'running' &&
      rest?.isShort === true &&
      mrkdwn`${stateIcons.unconfirmed} *The balance won’t reach.* ${describeRest(campaign, rest)} The campaign pauses when the balance runs out.`,
    state === 'missed' &&
      startAt !== undefined &&
      latestStart !== undefined &&
      mrkdwn`Planned for ${timeFor(startAt)}, ${timeFor(latestStart)} at the latest. ${whyLate}`,
    late > lateAfter && mrkdwn`:alarm_clock: Started ${formatDuration(late)} late. ${whyLate}`,
    state === 'cancelled' && lastActionBy !== undefined && mrkdwn`Cancelled by ${userMention(lastActionBy)}.`,
    state === 'running' && lastActionBy !== undefined && mrkdwn`Resumed by ${userMention(lastActionBy)}.`,
    (isOver(campaign) || isPausedByProvider) &&
      counts.unconfirmed > 0 &&
      whatUnconfirmedMeans(counts.unconfirmed),
  );
}

/** In milliseconds: more than a start takes while the program is up. */
const lateAfter = 2 * 60_000;
/** Which of the two is not known. */
const whyLate = 'Switchboard was down then, or its machine’s clock was wrong.';

function whatUnconfirmedMeans(count: number): Markup {
  return count === 1
    ? mrkdwn`:warning: The *unconfirmed* recipient may or may not have got the message. Switchboard won’t resend it. Check with the recipient first, or in the provider’s dashboard.`
    : mrkdwn`:warning: *Unconfirmed* recipients may or may not have got the message. Switchboard won’t resend it. Check with some of them first, or in the provider’s dashboard.`;
}

/** Whether a campaign is paused because the balance is too low. */
export function lacksBalance({ state, pause }: Campaign): boolean {
  return state === 'paused' && pause?.error?.reason === balanceTooLow;
}

/** Why a campaign is paused: what happened, unless a user paused it; what the rest needs; how it goes on. */
function pauseReason(campaign: Campaign, rest: CostOfRest | undefined): Markup {
  const { pause } = campaign;
  if (pause?.by === 'person') {
    return mrkdwn`Nothing more is sent until somebody resumes the campaign.`;
  }
  const { happened, next } = describeFailure(pause?.error);
  const how = resumeHint(pause?.error?.reason) ?? next;
  const needed =
    rest !== undefined &&
    lacksBalance(campaign) &&
    describeRest(campaign, rest, mrkdwn` for ${pluralize(rest.recipients, 'recipient')}`);
  return mrkdwn`${present(mrkdwn`${stateIcons.unconfirmed} ${happened}`, needed, mrkdwn`${how}`)}`;
}

/** @param whom follows the sum */
function describeRest({ route }: Campaign, { total, perPage }: CostOfRest, whom = mrkdwn``): Markup {
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

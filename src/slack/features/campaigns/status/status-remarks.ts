import type { CampaignThroughput } from '../../../../services/campaigns/sending/running-campaigns.ts';
import type { CostOfRest } from '../../../../services/costs/charges.ts';
import { describeFailure } from '../../../../services/operations/describe-failure.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { formatDuration } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { isOver } from './campaign-state.ts';
import { describeRest, pauseReason } from './pause-reason.ts';

/** What the user should know beyond the counts. */
export function statusRemarks(
  campaign: Campaign,
  throughput: CampaignThroughput,
  rest: CostOfRest | undefined,
): Markup[] {
  const { state, counts, pause, latestStart, startAt, startedAt, lastActionBy } = campaign;
  const isPausedByProvider = state === 'paused' && pause?.by === 'provider';
  const late = startAt !== undefined && startedAt !== undefined ? startedAt.getTime() - startAt.getTime() : 0;
  return [
    ...(state === 'paused' ? [pauseReason(campaign, rest)] : []),
    ...(state === 'running' && throughput.waitsUntil !== undefined
      ? [
          mrkdwn`${stateIcons.underway} *Waiting until ${timeFor(throughput.waitsUntil)}.* ${throughput.lastProblem === undefined ? '' : describeFailure(throughput.lastProblem).happened}`,
        ]
      : []),
    ...(state === 'running' && rest?.isShort
      ? [
          mrkdwn`${stateIcons.unconfirmed} *The balance won’t reach.* ${describeRest(campaign, rest)} The campaign pauses when the balance runs out.`,
        ]
      : []),
    ...(state === 'missed' && startAt !== undefined && latestStart !== undefined
      ? [mrkdwn`Planned for ${timeFor(startAt)}, ${timeFor(latestStart)} at the latest. ${whyLate}`]
      : []),
    ...(late > lateAfter ? [mrkdwn`:alarm_clock: Started ${formatDuration(late)} late. ${whyLate}`] : []),
    ...(state === 'cancelled' && lastActionBy !== undefined
      ? [mrkdwn`Cancelled by ${userMention(lastActionBy)}.`]
      : []),
    ...(state === 'running' && lastActionBy !== undefined
      ? [mrkdwn`Resumed by ${userMention(lastActionBy)}.`]
      : []),
    ...((isOver(campaign) || isPausedByProvider) && counts.unconfirmed > 0
      ? [whatUnconfirmedMeans(counts.unconfirmed)]
      : []),
  ];
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

import type { CampaignThroughput } from '../../../../services/campaigns/sending/campaign-scheduler.ts';
import { describeFailure } from '../../../../services/operations/describe-failure.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { formatDuration, pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../../block-kit/text.ts';
import { isOver } from './campaign-state.ts';
import { pauseReason } from './pause-reason.ts';

/** What the user should know beyond the counts. */
export function statusRemarks(campaign: Campaign, throughput: CampaignThroughput): Markup[] {
  const { state, counts, pause, latestStart, startAt, startedAt, inFlight, lastActionBy } = campaign;
  const refused = state === 'paused' && pause?.by === 'provider';
  const late = startAt !== undefined && startedAt !== undefined ? startedAt.getTime() - startAt.getTime() : 0;
  return [
    ...(state === 'paused' ? [pauseReason(campaign)] : []),
    ...(state === 'running' && throughput.waitsUntil !== undefined
      ? [
          mrkdwn`${stateIcons.underway} *Waiting until ${timeFor(throughput.waitsUntil)}.* ${throughput.lastProblem === undefined ? '' : describeFailure(throughput.lastProblem).happened}`,
        ]
      : []),
    ...(state === 'cancelled' && inFlight > 0 ? [mrkdwn`What is in flight ends; nothing new starts.`] : []),
    ...(state === 'missed' && startAt !== undefined && latestStart !== undefined
      ? [
          mrkdwn`It could not start at its time, ${timeFor(startAt)}: ${whyLate} It was not to start after ${timeFor(latestStart)}.`,
        ]
      : []),
    ...(late > lateAfter ? [mrkdwn`:alarm_clock: It started ${formatDuration(late)} late: ${whyLate}`] : []),
    ...(state === 'cancelled' && lastActionBy !== undefined
      ? [mrkdwn`Cancelled by ${userMention(lastActionBy)}.`]
      : []),
    ...(state === 'running' && lastActionBy !== undefined
      ? [mrkdwn`Resumed by ${userMention(lastActionBy)}.`]
      : []),
    ...((isOver(campaign) || refused) && counts.unconfirmed > 0
      ? [whatUnconfirmedMeans(counts.unconfirmed)]
      : []),
  ];
}

/** In milliseconds: more than a start waits after a restart of the program, see `createTime`. */
const lateAfter = 2 * 60_000;
/** Which of the two is not known. */
const whyLate = 'Switchboard was down then, or its machine’s clock was wrong.';

function whatUnconfirmedMeans(count: number): Markup {
  return mrkdwn`:warning: *${pluralize(count, 'recipient')} unconfirmed:* the request left, but no clear answer came, so they may or may not have got it. Switchboard never sends it again by itself. Ask ${count === 1 ? 'them' : 'some of them'}, or look in the provider’s dashboard, before you do.`;
}

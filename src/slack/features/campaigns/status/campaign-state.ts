import type { Repeat } from '../../../../domain/time/repeat.ts';
import { shownDay } from '../../../../domain/time/shown-time.ts';
import type { Approval } from '../../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { loadingView } from '../../../block-kit/build.ts';
import { startWithLagos } from '../../../block-kit/descriptions/campaign-counts.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { channelMention, type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';

/** Whether nothing about it can change any more. */
export function isOver({ state, endedAt }: Campaign): boolean {
  return endedAt !== undefined || state === 'done' || state === 'missed';
}

/** Whether it is paused for a reason that does not go away without a user, and not by a user. */
export function needsAttention({ state, pause }: Campaign): boolean {
  return state === 'paused' && pause?.by !== 'person';
}

/** In milliseconds: a creator is assumed to watch a campaign that they started for this long. */
const watchedFor = 60_000;

/** Whether it ended because the last of its recipients was removed, see `whyRemoved`. */
export function isEmptied(campaign: Pick<Campaign, 'state' | 'counts' | 'text' | 'occurrence'>): boolean {
  const { state, counts } = campaign;
  return (state === 'done' || state === 'cancelled') && counts.recipients === 0 && !isLeftOut(campaign);
}

/** Whether it is a run that was skipped or missed before it was prepared. It has no recipients. */
export function isLeftOut({
  counts,
  text,
  occurrence,
}: Pick<Campaign, 'counts' | 'text' | 'occurrence'>): boolean {
  return occurrence !== undefined && text === undefined && counts.recipients === 0;
}

/** Whether it ended when its creator was probably not looking: it was scheduled, or it took long. */
export function endedUnseen(
  campaign: Pick<Campaign, 'state' | 'counts' | 'text' | 'occurrence' | 'startAt' | 'startedAt' | 'endedAt'>,
): boolean {
  const { state, occurrence, startAt, startedAt, endedAt } = campaign;
  if (isEmptied(campaign)) {
    return true;
  }
  if (state === 'missed') {
    // For runs, the creator gets one message about all missed runs.
    return occurrence === undefined;
  }
  if (state !== 'done' || startedAt === undefined || endedAt === undefined) {
    return false;
  }
  return startAt !== undefined || endedAt.getTime() - startedAt.getTime() > watchedFor;
}

/** Whether it has recipients whom another campaign can follow up. A repeating campaign is followed up by its runs. */
export function canFollowUp({ state, counts, repeat, endedAt }: Campaign): boolean {
  const { recipients, accepted, unconfirmed } = counts;
  if (repeat !== undefined) {
    return false;
  }
  return endedAt === undefined
    ? (state === 'running' || state === 'paused') && accepted + unconfirmed > 0
    : (state === 'done' || state === 'cancelled') && recipients > 0;
}

export const alreadyChanged = mrkdwn`This has already ended, or someone else changed it.`;

/** Said of a campaign whose start waits for an approver. */
export function waitsForApproval({ expiresAt, channelId }: Approval): Markup {
  return mrkdwn`${stateIcons.approval} *Waiting for approval* in ${channelMention(channelId)} until ${timeFor(expiresAt)}.`;
}

/** In a list of campaigns. */
export const waitingHeadline = mrkdwn`${stateIcons.approval} *Waiting for approval*`;

/** Said of a scheduled run where its campaign repeats or stops: the run is a campaign of its own. */
export function stillGoesOut({ startAt, zone, counts }: Campaign): Markup {
  const when = startAt === undefined ? '' : mrkdwn` ${startWithLagos(startAt, zone)}`;
  return mrkdwn`The run${when} (${pluralize(counts.recipients, 'recipient')}) still goes out unless you cancel it.`;
}

/** The button that ends a repetition. */
export const stopRepeating = 'Stop repeating';

/** `every week until 3 Mar 2027` */
export const describeRepeat = ({ every, until }: Pick<Repeat, 'every' | 'until'>): string =>
  `every ${every} until ${shownDay(new Date(until))}`;

/** Shown if a start exceeds Slack's time limit. */
export const startingView = loadingView('Starting', 'Starting…');

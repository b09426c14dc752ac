import type { Campaign } from '../../../../store/campaigns/campaigns.ts';

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
export function isEmptied({ state, counts }: Pick<Campaign, 'state' | 'counts'>): boolean {
  return (state === 'done' || state === 'cancelled') && counts.recipients === 0;
}

/** Why nobody is left of its recipients, after “all of them”. */
export function whyRemoved({ suppressed, acceptedBefore }: Campaign['counts']): string {
  const isListed = 'are on the do-not-contact list';
  const isAccepted = 'turned out to be accepted before';
  if (acceptedBefore === 0) {
    return isListed;
  }
  return suppressed === 0 ? isAccepted : `${isListed} or ${isAccepted}`;
}

/** Whether it ended when its creator was probably not looking: it was scheduled, or it took long. */
export function endedUnseen(
  campaign: Pick<Campaign, 'state' | 'counts' | 'startAt' | 'startedAt' | 'endedAt'>,
): boolean {
  const { state, startAt, startedAt, endedAt } = campaign;
  if (state === 'missed' || isEmptied(campaign)) {
    return true;
  }
  if (state !== 'done' || startedAt === undefined || endedAt === undefined) {
    return false;
  }
  return startAt !== undefined || endedAt.getTime() - startedAt.getTime() > watchedFor;
}

/** Recipients whose request has left, or is leaving. */
export function sentCount({ counts, inFlight }: Campaign): number {
  return counts.accepted + counts.rejected + counts.unconfirmed + inFlight;
}

export function notSentCount(campaign: Campaign): number {
  return campaign.counts.recipients - sentCount(campaign);
}

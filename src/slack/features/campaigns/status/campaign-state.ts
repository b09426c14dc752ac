import type { Campaign } from '../../../../store/campaigns/campaigns.ts';

/** Whether nothing of it can change any more. */
export function isOver({ state, endedAt }: Campaign): boolean {
  return endedAt !== undefined || state === 'done' || state === 'missed';
}

const aWhile = 60_000;

/** Whether it ended while its author need not have been looking: it began by itself, or it took its time. */
export function endedUnseen({
  state,
  startAt,
  startedAt,
  endedAt,
}: Pick<Campaign, 'state' | 'startAt' | 'startedAt' | 'endedAt'>): boolean {
  if (state === 'missed') {
    return true;
  }
  if (state !== 'done' || startedAt === undefined || endedAt === undefined) {
    return false;
  }
  return startAt !== undefined || endedAt.getTime() - startedAt.getTime() > aWhile;
}

/** Recipients whose request has left, or is leaving. */
export function sentCount({ counts, inFlight }: Campaign): number {
  return counts.accepted + counts.rejected + counts.unconfirmed + inFlight;
}

export function notSentCount(campaign: Campaign): number {
  return campaign.counts.recipients - sentCount(campaign);
}

/** Whether it was paused by something that does not pass by itself, rather than by somebody. */
export function needsAttention({ state, pause }: Campaign): boolean {
  return state === 'paused' && pause?.by !== 'person';
}

import type { Campaign } from '../../../store/campaigns/campaigns.ts';

/** Returns the state that a scheduled campaign moves to at this moment; undefined while it is not due. */
export function stateWhenDue(
  { startAt, latestStart }: Pick<Campaign, 'startAt' | 'latestStart'>,
  now: Date,
): 'running' | 'missed' | undefined {
  if (startAt !== undefined && startAt > now) {
    return undefined;
  }
  return latestStart !== undefined && latestStart < now ? 'missed' : 'running';
}

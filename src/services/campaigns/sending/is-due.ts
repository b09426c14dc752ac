import type { Campaign } from '../../../store/campaigns/campaigns.ts';

/** What becomes of a scheduled campaign at a moment. Undefined: its time has not come. */
export function stateWhenDue(
  { startAt, latestStart }: Pick<Campaign, 'startAt' | 'latestStart'>,
  now: Date,
): 'running' | 'missed' | undefined {
  if (startAt !== undefined && startAt > now) {
    return undefined;
  }
  return latestStart !== undefined && latestStart < now ? 'missed' : 'running';
}

import type { Transaction } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { moveCampaigns } from './campaign-moves.ts';
import type { Campaign, CampaignPause } from './campaigns.ts';

/** The pause of a campaign whose data was restored or copied. */
const restoredPause = {
  by: 'program',
  error: { reason: 'restored' },
} as const satisfies CampaignPause;

/** Whether the campaign is paused because its data was restored or copied. */
export function isHeld({ pause }: Pick<Campaign, 'pause'>): boolean {
  return pause?.error?.reason === restoredPause.error.reason;
}

/** The pause of a campaign that was to start when its creator might no longer start campaigns. */
export const withheldPause = {
  by: 'program',
  error: { reason: 'not_permitted' },
} as const satisfies CampaignPause;

/** The pause of a campaign whose workspace Slack does not let the app into any more. */
export const shutOutPause = {
  by: 'program',
  error: { reason: 'shut_out' },
} as const satisfies CampaignPause;

/** Whether the campaign is paused because its creator might not start it. */
export function isWithheld({ pause }: Pick<Campaign, 'pause'>): boolean {
  return pause?.error?.reason === withheldPause.error.reason;
}

/**
 * Pauses all campaigns in progress, in data that may have forgotten whom they were sent to. Those that are paused get
 * the reason too. Returns how many there are.
 */
export async function holdCampaigns(transaction: Transaction<Schema>, now: Date): Promise<number> {
  const { numUpdatedRows } = await moveCampaigns(transaction, 'hold')
    .set({ pause: restoredPause, stateChangedAt: now })
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

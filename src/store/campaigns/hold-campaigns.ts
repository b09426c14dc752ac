import type { Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Campaign, CampaignPause } from './campaigns.ts';

/** Why a campaign is paused whose data was restored or copied. */
const restoredPause = {
  by: 'program',
  error: {
    reason: 'restored',
    message:
      'Its data was restored from a back-up or copied, and may be older than what was sent: some of those who wait here ' +
      'may have got the message already. Look in the provider’s dashboard before you resume it.',
  },
} as const satisfies CampaignPause;

/** Whether it is paused because its data was restored or copied. */
export function isHeld({ pause }: Pick<Campaign, 'pause'>): boolean {
  return pause?.error?.reason === restoredPause.error.reason;
}

/**
 * Pauses all campaigns that are under way, in data that may have forgotten whom they were sent to. One that somebody
 * paused gets the reason too, as it may have been resumed since. Returns how many there are.
 */
export async function holdCampaigns(transaction: Transaction<Schema>, at: Date): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('campaign')
    .set({ state: 'paused', pause: JSON.stringify(restoredPause), state_changed_at: at.getTime() })
    .where('state', 'in', ['scheduled', 'running', 'paused'])
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

import type { Transaction } from 'kysely';
import { holdCampaigns } from '../campaigns/campaign-moves.ts';
import { doubtNotices } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Makes sure that data which may have forgotten what was sent sends nothing until a person says so. Returns how many
 * campaigns it paused.
 */
export async function holdRestored(transaction: Transaction<Schema>, now: Date): Promise<number> {
  await doubtNotices(transaction);
  return holdCampaigns(transaction, now);
}

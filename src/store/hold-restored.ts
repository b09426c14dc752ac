import type { Transaction } from 'kysely';
import { holdCampaigns } from './campaigns/hold-campaigns.ts';
import { doubtNotices } from './outbox/notices.ts';
import { type Schema, typed } from './schema.ts';

/**
 * Makes sure that data which may have forgotten what was sent sends nothing until a person says so. Returns how many
 * campaigns it paused.
 */
export async function holdRestored(transaction: Transaction<Schema>, now: Date): Promise<number> {
  const write = typed(transaction);
  await doubtNotices(write);
  return holdCampaigns(write, now);
}

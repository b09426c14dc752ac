import type { Transaction } from 'kysely';
import { holdCampaigns } from '../campaigns/campaign-moves.ts';
import { doubtNotices } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';

/** Restored data may lack sent messages, so a person decides first. Returns how many campaigns it paused. */
export async function holdRestored(transaction: Transaction<Schema>, now: Date): Promise<number> {
  await doubtNotices(transaction);
  return holdCampaigns(transaction, now);
}

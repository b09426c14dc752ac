import { createHash } from 'node:crypto';
import type { Campaign } from '../../store/campaigns/campaigns.ts';

/**
 * Returns what tells a campaign that was reviewed from one that has taken its place under the same id. The same form that is
 * submitted twice makes the same one, and who is removed from it does not change it: nobody gets it who was not reviewed.
 */
export function reviewedContent({ name, route, senderId, text, columns, counts }: Campaign): string {
  const { recipients, suppressed, acceptedBefore, duplicates, invalid } = counts;
  const rows = [recipients + suppressed + acceptedBefore, duplicates, invalid];
  const content = JSON.stringify([name, route, senderId, text, columns, rows]);
  return createHash('sha256').update(content).digest('base64url');
}

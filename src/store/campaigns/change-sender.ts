import { hashPart, withSender } from '../../domain/campaigns/campaign-version.ts';
import type { StoreContext } from '../context.ts';
import { inTransaction } from '../engine/transaction.ts';
import { campaignEntry, isVersion } from './campaign-moves.ts';
import type { Campaign, ShownCampaign } from './campaigns.ts';
import { toCampaignWithText } from './row-mapping.ts';

/**
 * Changes the sender of a paused campaign, which makes a new version. It stays paused, now by the user.
 * Resolves with undefined if it isn't paused or its version has changed.
 */
export async function changeSender(
  { db, encryption, phoneHashes, clock, audit }: StoreContext,
  workspaceId: string,
  { id, version }: ShownCampaign,
  { senderId, userId }: { senderId: string; userId: string },
): Promise<Campaign | undefined> {
  const hash = await phoneHashes.hasher(workspaceId);
  const appendAudit = await audit.prepare();
  return inTransaction(db, async (transaction) => {
    const before = await transaction
      .selectFrom('campaign')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'paused')
      .where(isVersion(version))
      .forUpdate()
      .executeTakeFirst();
    if (before?.digest === undefined) {
      return undefined;
    }
    const sender = hashPart(hash, 'sender', [before.route, senderId]);
    const row = await transaction
      .updateTable('campaign')
      .set({
        senderId,
        digest: withSender(before.digest, sender),
        pause: { by: 'person', userId, isEdited: true },
        lastActionBy: userId,
        stateChangedAt: clock(),
      })
      .where('sequence', '=', before.sequence)
      .returningAll()
      .executeTakeFirstOrThrow();
    const details = { senderBefore: before.senderId };
    await appendAudit(transaction, [campaignEntry('campaign.change_sender', row, { id, details })]);
    return toCampaignWithText(row, encryption);
  });
}

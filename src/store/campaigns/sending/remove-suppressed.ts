import type { Transaction } from 'kysely';
import type { Schema } from '../../schema.ts';
import type { CampaignState } from '../campaigns.ts';
import { type RemovalOptions, removeWaiting, type WaitingRecipient } from './remove-waiting.ts';

/** The states in which recipients may still be removed: those from which a campaign may still be sent. */
const unfinished: readonly CampaignState[] = ['ready', 'scheduled', 'missed', 'running', 'paused'];

/**
 * The entries of the list with these hashes, or up to `limit` of those added from a time on, in milliseconds since 1970.
 */
type Listed = { hashes: readonly string[] } | { since: number; limit: number };

/**
 * Removes the numbers on the suppression list from chunks that nobody has claimed yet: of one campaign, or of every
 * unfinished one of the workspace. They are counted as suppressed. A scheduled campaign that loses its last recipient is
 * cancelled. Returns how many were removed, counted once for each campaign, and the ids of the campaigns that changed.
 */
export async function removeSuppressed(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { listed, campaign: only }: { listed: Listed; campaign?: number | undefined },
  options: RemovalOptions,
): Promise<{ recipients: number; campaigns: string[] }> {
  const campaigns = await lockCampaigns(transaction, workspaceId, only);
  if (campaigns.length === 0) {
    return { recipients: 0, campaigns: [] };
  }
  const found = await findSuppressed(transaction, workspaceId, { listed, campaigns });
  return {
    recipients: found.length,
    campaigns: await removeWaiting(
      transaction,
      workspaceId,
      { recipients: found, countedAs: 'suppressed' },
      options,
    ),
  };
}

/** Returns the campaigns, locked: what waits in them is not claimed until the transaction ends. */
async function lockCampaigns(
  transaction: Transaction<Schema>,
  workspaceId: string,
  only: number | undefined,
): Promise<number[]> {
  const rows = await transaction
    .selectFrom('campaign')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where((eb) => (only === undefined ? eb('state', 'in', unfinished) : eb('sequence', '=', only)))
    .orderBy('sequence')
    .forUpdate()
    .execute();
  return rows.map(({ sequence }) => sequence);
}

function findSuppressed(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { listed, campaigns }: { listed: Listed; campaigns: readonly number[] },
): Promise<WaitingRecipient[]> {
  const query = transaction
    .selectFrom('suppression')
    .innerJoin('campaign_number as recipient', 'recipient.hash', 'suppression.hash')
    .innerJoin('campaign_chunk as chunk', (join) =>
      join
        .onRef('chunk.campaign', '=', 'recipient.campaign')
        .onRef('chunk.number', '=', 'recipient.chunk')
        .on('chunk.state', '=', 'waiting'),
    )
    .where('suppression.workspace_id', '=', workspaceId)
    .where('recipient.campaign', 'in', campaigns)
    .select(['suppression.hash', 'recipient.campaign', 'recipient.chunk']);
  return 'since' in listed
    ? query.where('suppression.created_at', '>=', listed.since).limit(listed.limit).execute()
    : query.where('suppression.hash', 'in', listed.hashes).execute();
}

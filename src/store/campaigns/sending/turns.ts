import type { StoreContext } from '../../context.ts';
import { inTransaction } from '../../engine/transaction.ts';
import { readRow } from '../../engine/values.ts';
import { addToCounters } from '../campaign-moves.ts';
import type { CampaignStatements } from '../campaign-statements.ts';
import type { Campaign, Chunk, ChunkEnding, ClaimedChunk } from '../campaigns.ts';
import { readDigits } from '../chunk-content.ts';
import { type createRecipientQueries, selectSequence } from '../recipient-queries.ts';
import { toCampaign } from '../row-mapping.ts';
import type { CampaignToSend, Lease } from './leases.ts';
import { removeAccepted } from './remove-accepted.ts';
import { removeSuppressed } from './remove-waiting.ts';
import type { PaceRequest, SettledAndClaimed, SettledChunk } from './settle-and-claim.ts';

/** What a worker asks of the store from time to time. */
interface Turn {
  lease: Lease;
  endings: readonly ChunkEnding[];
  /** How many chunks to claim, at most. */
  count: number;
  /** See `SettleAndClaim`. Defaults to no limit. */
  maxUnproven?: number | undefined;
  pace: PaceRequest;
}

export interface TurnResult extends Pick<SettledAndClaimed, 'isLeaseLost' | 'pace'> {
  campaign: Campaign;
  claimed: ClaimedChunk[];
}

/** What the workers of campaigns ask of the store. */
export function createTurns(
  context: StoreContext,
  statements: CampaignStatements,
  { pick, claimedBy }: ReturnType<typeof createRecipientQueries>,
) {
  return {
    /**
     * Stores the endings of chunks claimed by the run of the lease, ignoring others. Then claims up to `count` waiting chunks
     * in order, if the campaign is running, the lease is held and the workspace's pace allows it. A claimed chunk is never
     * claimed again, unless it is released: without the numbers suppressed since. With nothing waiting or claimed, a running
     * or paused campaign is done. Undefined if there is no such campaign.
     *
     * @throws StoreError `disk_full` or `locked`: nothing is claimed, and the same turn may be made again
     */
    async settleAndClaim(
      { workspaceId, id }: CampaignToSend,
      { lease, endings, count, maxUnproven = Number.MAX_SAFE_INTEGER, pace }: Turn,
    ): Promise<TurnResult | undefined> {
      const released = endings.filter(({ state }) => state === 'waiting');
      if (released.length > 0) {
        const numbers = released.map(({ number }) => number);
        const chunks = await pick(workspaceId, id, numbers);
        await releaseChunks(context, { workspaceId, id }, { endings: released, chunks, run: lease.run });
      }
      const settled = endings.filter((ending): ending is SettledChunk => ending.state !== 'waiting');
      const now = context.clock().getTime();
      const argument = { workspaceId, id, lease, endings: settled, count, maxUnproven, pace, now };
      const result = await statements.settleAndClaim(argument);
      if (result === null) {
        return undefined;
      }
      const { campaign, claimed, ...others } = result;
      return {
        ...others,
        campaign: toCampaign(readRow(campaign), id),
        claimed: claimed.map(({ content, ...chunk }) => ({ ...chunk, ...readDigits(content) })),
      };
    },

    /**
     * Returns to the queue the chunks that the run has claimed and its worker doesn't know of, because PostgreSQL's answer
     * was lost. Returns how many.
     */
    async releaseClaims(campaign: CampaignToSend, run: string): Promise<number> {
      const chunks = await claimedBy(campaign.workspaceId, campaign.id, run);
      if (chunks.length > 0) {
        const endings = chunks.map(({ number }) => ({ number, state: 'waiting' as const }));
        await releaseChunks(context, campaign, { endings, chunks, run });
      }
      return chunks.length;
    },
  };
}

interface Release {
  endings: readonly ChunkEnding[];
  /** The ended chunks, with their recipients. */
  chunks: readonly Chunk[];
  /** Only chunks that this run of the program claimed are released, even if another sends the campaign now. */
  run: string;
}

/**
 * Returns unsent chunks to the queue, without numbers suppressed, or found to be accepted before, since the claim: nobody is
 * removed from a claimed chunk.
 */
async function releaseChunks(
  { db, encryption, phoneHashes, clock }: StoreContext,
  { workspaceId, id }: CampaignToSend,
  { endings, chunks, run }: Release,
): Promise<void> {
  const hash = await phoneHashes.hasher(workspaceId);
  const hashes = new Map(chunks.map(({ number, to }) => [number, to.map(hash)]));
  const options = { encryption, hash, now: clock() };
  await inTransaction(db, async (transaction) => {
    // Locked until the transaction ends: nothing of it is claimed or ended meanwhile.
    const locked = await selectSequence(transaction, workspaceId, id).forUpdate().executeTakeFirst();
    if (locked === undefined) {
      return;
    }
    const campaign = locked.sequence;
    for (const { number, error } of endings) {
      const chunk = await transaction
        .updateTable('campaignChunk')
        .set({ state: 'waiting', run: null, error: error ?? null })
        .where('campaign', '=', campaign)
        .where('number', '=', number)
        .where('state', '=', 'claimed')
        .where('run', '=', run)
        .returning('recipients')
        .executeTakeFirst();
      if (chunk === undefined) {
        continue;
      }
      await addToCounters(transaction, campaign, { inFlight: -chunk.recipients }, options.now);
      const chunkHashes = hashes.get(number) ?? [];
      await removeSuppressed(
        transaction,
        workspaceId,
        { listed: { hashes: chunkHashes }, campaign },
        options,
      );
      await removeAccepted(transaction, workspaceId, { rest: campaign, hashes: chunkHashes }, options);
    }
  });
}

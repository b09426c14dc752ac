import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import type { PhoneHashes } from '../../encryption/phone-hashes.ts';
import type { Schema } from '../../schema.ts';
import type { CampaignRepository } from '../campaign-repository.ts';
import type { ChunkEnding } from '../campaigns.ts';
import { readDigits } from '../chunk-content.ts';
import { createRecipientQueries } from '../recipient-queries.ts';
import { toCampaign } from '../row-mapping.ts';
import { releaseChunks } from './release-chunks.ts';
import type { SettleAndClaim, SettledAndClaimed, SettledChunk } from './settle-and-claim.ts';

interface TurnsOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  clock: Clock;
  /** The procedure in the database's thread, or the statement of PostgreSQL. */
  settleAndClaim(argument: SettleAndClaim): Promise<SettledAndClaimed | null>;
}

/** What the workers of campaigns ask of the store. */
export function createTurns(
  options: TurnsOptions,
): Pick<CampaignRepository, 'settleAndClaim' | 'releaseClaims'> {
  const { db, encryption, phoneHashes, clock } = options;
  const { pick } = createRecipientQueries(db, encryption);
  const now = () => clock().getTime();

  async function release(
    { workspaceId, id }: { workspaceId: string; id: string },
    endings: readonly ChunkEnding[],
    run: string,
  ): Promise<void> {
    if (endings.length === 0) {
      return;
    }
    const numbers = endings.map(({ number }) => number);
    const chunks = await pick(workspaceId, id, numbers);
    const context = { db, encryption, phoneHashes, run, now: now() };
    await releaseChunks({ workspaceId, id }, endings, chunks, context);
  }

  return {
    async settleAndClaim({ workspaceId, id }, { lease, endings, count, pace }) {
      const released = endings.filter(({ state }) => state === 'waiting');
      await release({ workspaceId, id }, released, lease.run);
      const settled = endings.filter(isSettled);
      const argument = { workspaceId, id, lease, endings: settled, count, pace, now: now() };
      const result = await options.settleAndClaim(argument);
      if (result === null) {
        return undefined;
      }
      return {
        campaign: toCampaign(result.campaign, id),
        claimed: result.claimed.map(({ content, ...chunk }) => ({ ...chunk, ...readDigits(content) })),
        isLeaseLost: result.isLeaseLost,
        pace: result.pace,
      };
    },

    async releaseClaims(campaign, run) {
      const claimed = await claimsOf(db, campaign, run);
      const endings = claimed.map(({ number }) => ({ number, state: 'waiting' as const }));
      await release(campaign, endings, run);
      return endings.length;
    },
  };
}

async function claimsOf(
  db: Kysely<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  run: string,
): Promise<{ number: number }[]> {
  return db
    .selectFrom('campaign_chunk as chunk')
    .innerJoin('campaign', 'campaign.sequence', 'chunk.campaign')
    .select('chunk.number')
    .where('campaign.workspace_id', '=', workspaceId)
    .where('campaign.id', '=', id)
    .where('chunk.state', '=', 'claimed')
    .where('chunk.run', '=', run)
    .execute();
}

const isSettled = (ending: ChunkEnding): ending is SettledChunk => ending.state !== 'waiting';

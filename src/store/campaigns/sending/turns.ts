import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import type { PhoneHashes } from '../../encryption/phone-hashes.ts';
import type { Schema } from '../../schema.ts';
import type { CampaignRepository } from '../campaign-repository.ts';
import type { Chunk, ChunkEnding } from '../campaigns.ts';
import { readDigits } from '../chunk-content.ts';
import { claimedChunks, createRecipientQueries } from '../recipient-queries.ts';
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
  const { pick } = createRecipientQueries(options);
  const now = () => clock().getTime();

  function release(
    campaign: { workspaceId: string; id: string },
    endings: readonly ChunkEnding[],
    chunks: readonly Chunk[],
    run: string,
  ): Promise<void> {
    return releaseChunks(campaign, endings, chunks, { db, encryption, phoneHashes, run, now: now() });
  }

  return {
    async settleAndClaim({ workspaceId, id }, { lease, endings, count, pace }) {
      const released = endings.filter(({ state }) => state === 'waiting');
      if (released.length > 0) {
        const numbers = released.map(({ number }) => number);
        await release({ workspaceId, id }, released, await pick(workspaceId, id, numbers), lease.run);
      }
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
      const chunks = await claimedChunks(db, encryption, campaign, run);
      if (chunks.length > 0) {
        const endings = chunks.map(({ number }) => ({ number, state: 'waiting' as const }));
        await release(campaign, endings, chunks, run);
      }
      return chunks.length;
    },
  };
}

const isSettled = (ending: ChunkEnding): ending is SettledChunk => ending.state !== 'waiting';

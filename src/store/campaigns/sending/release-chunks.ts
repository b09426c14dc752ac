import type { Kysely } from 'kysely';
import type { Encryption } from '../../encryption/cipher.ts';
import type { PhoneHashes } from '../../encryption/phone-hashes.ts';
import { writeOperationError } from '../../operations/operation.ts';
import type { Schema } from '../../schema.ts';
import { inTransaction } from '../../transaction.ts';
import type { Chunk, ChunkEnding } from '../campaigns.ts';
import { lockCampaign } from '../recipient-queries.ts';
import { addToCounters } from './counters.ts';
import { removeAccepted } from './remove-accepted.ts';
import { removeSuppressed } from './remove-suppressed.ts';

interface ReleaseOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  /** Only chunks that this run of the program claimed are released, even if another sends the campaign now. */
  run: string;
  now: number;
}

/**
 * Makes chunks wait again that were provably not taken, without the numbers that were put on the suppression list since, and
 * without those that turned out to be accepted before: nobody is removed from a chunk while it is claimed.
 *
 * @param chunks those of the endings, with their recipients
 */
export async function releaseChunks(
  { workspaceId, id }: { workspaceId: string; id: string },
  endings: readonly ChunkEnding[],
  chunks: readonly Chunk[],
  { db, encryption, phoneHashes, run, now }: ReleaseOptions,
): Promise<void> {
  const hash = await phoneHashes.hasher(workspaceId);
  const hashes = new Map(chunks.map(({ number, to }) => [number, to.map(hash)]));
  await inTransaction(db, async (transaction) => {
    const campaign = await lockCampaign(transaction, workspaceId, id);
    if (campaign === undefined) {
      return;
    }
    for (const { number, error } of endings) {
      const chunk = await transaction
        .updateTable('campaign_chunk')
        .set({ state: 'waiting', run: null, error: writeOperationError(error) })
        .where('campaign', '=', campaign)
        .where('number', '=', number)
        .where('state', '=', 'claimed')
        .where('run', '=', run)
        .returning('recipients')
        .executeTakeFirst();
      if (chunk === undefined) {
        continue;
      }
      const change = { accepted: 0, rejected: 0, unconfirmed: 0, inFlight: -chunk.recipients };
      await addToCounters(transaction, campaign, change, { now });
      const own = hashes.get(number) ?? [];
      const options = { encryption, hash, now };
      await removeSuppressed(transaction, workspaceId, { listed: { hashes: own }, campaign }, options);
      await removeAccepted(transaction, workspaceId, { rest: campaign, hashes: own }, options);
    }
  });
}

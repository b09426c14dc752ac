import type { Kysely } from 'kysely';
import type { Encryption } from '../../encryption/cipher.ts';
import type { PhoneHashes } from '../../encryption/phone-hashes.ts';
import type { Schema } from '../../schema.ts';
import type { Chunk, ChunkEnding } from '../campaigns.ts';
import { addToCounters } from './counters.ts';
import { sequenceOf } from '../recipient-queries.ts';
import { removeSuppressed } from './remove-suppressed.ts';

/**
 * Chunks that were provably not taken wait again, if this run claimed them, without whom was put on the do-not-contact
 * list since: while a chunk is claimed, nobody is taken out of it.
 *
 * @param recipients of each of the chunks
 */
export async function releaseChunks(
  { workspaceId, id }: { workspaceId: string; id: string },
  endings: readonly ChunkEnding[],
  recipients: readonly Chunk[],
  tools: { db: Kysely<Schema>; encryption: Encryption; numberHashes: PhoneHashes; run: string; now: number },
): Promise<void> {
  const { db, encryption, numberHashes, run, now } = tools;
  const hashes = new Map<number, string[]>();
  for (const { number, to } of recipients) {
    hashes.set(number, await numberHashes.of(workspaceId, to));
  }
  await db.transaction().execute(async (transaction) => {
    const sequence = await sequenceOf(transaction, workspaceId, id);
    if (sequence === undefined) {
      return;
    }
    for (const { number, error } of endings) {
      const chunk = await transaction
        .updateTable('campaign_chunk')
        .set({ state: 'waiting', run: null, error: error === undefined ? null : JSON.stringify(error) })
        .where('campaign', '=', sequence)
        .where('number', '=', number)
        .where('state', '=', 'claimed')
        .where('run', '=', run)
        .returning('recipients')
        .executeTakeFirst();
      if (chunk === undefined) {
        continue;
      }
      const movement = { accepted: 0, rejected: 0, unconfirmed: 0, inFlight: -chunk.recipients };
      await addToCounters(transaction, sequence, movement, { now });
      const unwanted = { listed: { hashes: hashes.get(number) ?? [] }, campaign: sequence };
      await removeSuppressed(transaction, workspaceId, unwanted, { encryption, now });
    }
  });
}

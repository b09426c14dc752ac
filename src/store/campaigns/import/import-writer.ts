import type { Kysely } from 'kysely';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import type { PhoneHashes } from '../../encryption/phone-hashes.ts';
import type { Schema } from '../../schema.ts';
import { moveCampaigns } from '../campaign-moves.ts';
import type { CampaignRow } from '../campaign-tables.ts';
import type { Campaign, CampaignCounts, NewCampaign, ReadRow } from '../campaigns.ts';
import { toCampaign } from '../row-mapping.ts';
import { removeSuppressed } from '../sending/remove-suppressed.ts';
import { type AssignedChunks, assignChunks, noProgress } from './assign-chunks.ts';
import { createHashWriteBuffer } from './hash-write-buffer.ts';
import {
  findStoredHashes,
  findSuppressedHashes,
  insertChunks,
  insertHashes,
  insertRejectedRows,
  updateCounts,
} from './import-statements.ts';

/** Writes the recipients of a campaign that is imported. One call at a time. */
export interface ImportWriter {
  /** Takes some 500 rows at most. Returns the counts so far. After a throw, the same rows may be added again. */
  add(rows: readonly ReadRow[]): Promise<CampaignCounts>;
  /** Called once, after the last row: the campaign is `ready`. */
  finish(): Promise<Campaign>;
  /** Discards the campaign. */
  abandon(): Promise<void>;
}

/** Hashes that are kept in memory, see `HashWriteBuffer`. */
const maxBufferedHashes = 20_000;
/** Hashes of one transaction at the end. */
const hashBatchSize = 500;
/** Suppressed recipients that are removed in one transaction. */
const removalBatchSize = 100;

interface ImportWriterOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  clock: Clock;
  discard: () => Promise<void>;
}

/** Its memory does not grow with the number of recipients. */
export function createImportWriter(
  { workspaceId, id, personal, text }: NewCampaign,
  sequence: number,
  { db, encryption, phoneHashes, clock, discard }: ImportWriterOptions,
): ImportWriter {
  const campaign = { workspaceId, sequence };
  const begunAt = clock().getTime();
  const buffer = createHashWriteBuffer();
  let progress = noProgress;
  let rejectedBatches = 0;

  /** Stores a batch in one transaction. What is in memory changes only once it is committed. */
  async function write(rows: readonly ReadRow[], isLast: boolean): Promise<void> {
    const recipients = rows.filter((row) => row.kind === 'recipient');
    const rejected = rows.filter((row) => row.kind === 'invalid');
    const numbers = recipients.map(({ number }) => number);
    const hashes = await phoneHashes.of(workspaceId, numbers);
    const batch = { recipients, hashes, invalid: rejected.length };
    const overdue = buffer.next(buffer.size - maxBufferedHashes);

    const assigned = await db.transaction().execute(async (transaction): Promise<AssignedChunks> => {
      const suppressed = await findSuppressedHashes(transaction, campaign, hashes);
      const stored = await findStoredHashes(transaction, campaign, hashes);
      const result = assignChunks(progress, batch, {
        chunkSize: chunkSize({ personal }),
        isLast,
        isSuppressed: (hash) => suppressed.has(hash),
        isKnown: (hash) => stored.has(hash) || buffer.has(hash),
      });
      await insertHashes(transaction, campaign, overdue);
      const chunks = { chunks: result.full, first: progress.counts.chunks };
      await insertChunks(transaction, encryption, campaign, chunks);
      if (rejected.length > 0) {
        const batchOfRows = { rows: rejected, number: rejectedBatches };
        await insertRejectedRows(transaction, encryption, campaign, batchOfRows);
      }
      await updateCounts(transaction, campaign, result.progress.counts);
      return result;
    });

    buffer.drop(overdue);
    for (const hash of assigned.placed) {
      buffer.add(hash);
    }
    progress = assigned.progress;
    rejectedBatches += rejected.length > 0 ? 1 : 0;
  }

  async function flushHashes(): Promise<void> {
    while (buffer.size > 0) {
      const hashes = buffer.next(hashBatchSize);
      await insertHashes(db, campaign, hashes);
      buffer.drop(hashes);
    }
  }

  /**
   * Removes the numbers that were put on the suppression list during the import, up to a batch. The campaign is `ready`
   * where those were the last of them: from then on, `SuppressionList.add` removes them. Resolves with undefined where
   * there are more.
   */
  function removeSuppressedAndFinish(): Promise<CampaignRow | undefined> {
    const now = clock().getTime();
    return db.transaction().execute(async (transaction) => {
      const listed = { since: begunAt, limit: removalBatchSize };
      const removed = await removeSuppressed(
        transaction,
        workspaceId,
        { listed, campaign: sequence },
        { encryption, now },
      );
      if (removed === removalBatchSize) {
        return undefined;
      }
      return moveCampaigns(transaction, 'finishImport')
        .set({ state_changed_at: now })
        .where('sequence', '=', sequence)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  return {
    async add(rows) {
      await write(rows, false);
      return progress.counts;
    },

    async finish() {
      await write([], true);
      await flushHashes();
      let row: CampaignRow | undefined;
      while (row === undefined) {
        row = await removeSuppressedAndFinish();
      }
      return { ...toCampaign(row, id), text };
    },

    abandon: discard,
  };
}

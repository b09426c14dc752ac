import type { Kysely, Transaction } from 'kysely';
import type { RejectedRow } from '../../../domain/csv/rejected-row.ts';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { AppendAudit } from '../../audit/audit-trail.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import { type HashNumber, lockNumbers } from '../../encryption/phone-hashes.ts';
import type { Schema } from '../../schema.ts';
import { inTransaction } from '../../transaction.ts';
import { campaignEntry } from '../audit-entries.ts';
import { moveCampaigns } from '../campaign-moves.ts';
import type { CampaignRow } from '../campaign-tables.ts';
import type { Campaign, CampaignCounts, NewCampaign, ReadRow } from '../campaigns.ts';
import { discardedColumns } from '../retention.ts';
import { toCampaign } from '../row-mapping.ts';
import { removeSuppressed } from '../sending/remove-suppressed.ts';
import {
  type AssignedChunks,
  assignChunks,
  noProgress,
  type PlacedHash,
  type RecipientBatch,
} from './assign-chunks.ts';
import { createHashWriteBuffer } from './hash-write-buffer.ts';
import {
  findStoredHashes,
  findSuppressedHashes,
  type ImportedCampaign,
  insertChunks,
  insertHashes,
  insertRejectedRows,
  lockReading,
  NoLongerDraftError,
  updateCounts,
} from './import-statements.ts';

/** Hashes that are kept in memory, see `HashWriteBuffer`. */
const maxBufferedHashes = 20_000;
/** Hashes of one transaction at the end. */
const hashBatchSize = 500;
/** Suppressed recipients that are removed in one transaction. */
const removalBatchSize = 100;
/** In milliseconds: by how much the clocks of two instances may differ, one that imports and one that lists. */
const clockDifference = 10 * 60_000;

interface ImportWriterOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  /** Of one import always the same: another key would be made for a workspace that was deleted. */
  hash: HashNumber;
  clock: Clock;
  discard: () => Promise<void>;
  appendAudit: AppendAudit;
}

/** Writes the recipients of a campaign that is imported, in constant memory. One call at a time. */
export class ImportWriter {
  readonly #newCampaign: NewCampaign;
  readonly #campaign: ImportedCampaign;
  readonly #options: ImportWriterOptions;
  readonly #chunkSize: number;
  /** In milliseconds since 1970. */
  readonly #begunAt: number;
  /** Hashes of stored recipients that are not stored yet. */
  readonly #buffer = createHashWriteBuffer();
  #progress = noProgress;
  #rejectedBatches = 0;

  constructor(campaign: NewCampaign, sequence: number, options: ImportWriterOptions) {
    const { workspaceId, personal } = campaign;
    this.#newCampaign = campaign;
    this.#campaign = { workspaceId, sequence };
    this.#options = options;
    this.#chunkSize = chunkSize({ personal });
    this.#begunAt = options.clock().getTime();
  }

  /**
   * Takes some 500 rows at most. Returns the counts so far. After a throw, the same rows may be added again.
   *
   * @throws NoLongerDraftError if the campaign was deleted with its workspace
   */
  async add(rows: readonly ReadRow[]): Promise<CampaignCounts> {
    await this.#write(rows, false);
    return this.#progress.counts;
  }

  /**
   * Called once, after the last row: the campaign is `ready`.
   *
   * @throws NoLongerDraftError as `add`, and if it replaces a draft that is none any more; it is then still to be abandoned
   */
  async finish(): Promise<Campaign> {
    await this.#write([], true);
    await this.#flushHashes();
    let row: CampaignRow | undefined;
    while (row === undefined) {
      row = await this.#removeSuppressedAndFinish();
    }
    const { id, text, columns } = this.#newCampaign;
    return { ...toCampaign(row, id), text, columns };
  }

  /** Discards the campaign. */
  abandon(): Promise<void> {
    return this.#options.discard();
  }

  /** Stores a batch in one transaction. What is in memory changes only once it is committed. */
  async #write(rows: readonly ReadRow[], isLast: boolean): Promise<void> {
    const { db, hash } = this.#options;
    const recipients = rows.filter((row) => row.kind === 'recipient');
    const rejected = rows.filter((row) => row.kind === 'invalid');
    const hashes = recipients.map(({ number }) => hash(number));
    const batch = { recipients, hashes, problems: rejected.map(({ problem }) => problem) };
    const overdue = this.#buffer.next(this.#buffer.size - maxBufferedHashes);

    const assigned = await inTransaction(db, async (transaction) => {
      const result = await this.#assign(transaction, batch, isLast);
      await this.#insert(transaction, { assigned: result, rejected, overdue });
      return result;
    });

    this.#buffer.drop(overdue);
    for (const hash of assigned.placed) {
      this.#buffer.add(hash);
    }
    this.#progress = assigned.progress;
    this.#rejectedBatches += rejected.length > 0 ? 1 : 0;
  }

  async #assign(
    transaction: Transaction<Schema>,
    batch: RecipientBatch,
    isLast: boolean,
  ): Promise<AssignedChunks> {
    const suppressed = await findSuppressedHashes(transaction, this.#campaign, batch.hashes);
    const stored = await findStoredHashes(transaction, this.#campaign, batch.hashes);
    return assignChunks(this.#progress, batch, {
      chunkSize: this.#chunkSize,
      isLast,
      isSuppressed: (hash) => suppressed.has(hash),
      isKnown: (hash) => stored.has(hash) || this.#buffer.has(hash),
    });
  }

  /** @param rows.overdue buffered hashes to store */
  async #insert(
    transaction: Transaction<Schema>,
    rows: { assigned: AssignedChunks; rejected: readonly RejectedRow[]; overdue: readonly PlacedHash[] },
  ): Promise<void> {
    const { encryption } = this.#options;
    const { assigned, rejected, overdue } = rows;
    await insertHashes(transaction, this.#campaign, overdue);
    const chunks = { chunks: assigned.full, first: this.#progress.counts.chunks };
    await insertChunks(transaction, encryption, this.#campaign, chunks);
    if (rejected.length > 0) {
      const batch = { rows: rejected, number: this.#rejectedBatches };
      await insertRejectedRows(transaction, encryption, this.#campaign, batch);
    }
    await updateCounts(transaction, this.#campaign, assigned.progress);
  }

  async #flushHashes(): Promise<void> {
    while (this.#buffer.size > 0) {
      const hashes = this.#buffer.next(hashBatchSize);
      await inTransaction(this.#options.db, async (transaction) => {
        await lockReading(transaction, this.#campaign);
        await insertHashes(transaction, this.#campaign, hashes);
      });
      this.#buffer.drop(hashes);
    }
  }

  /**
   * Removes the numbers that were put on the suppression list during the import, up to a batch. The campaign is `ready`
   * where those were the last of them: from then on, `SuppressionList.add` removes them. Resolves with undefined where
   * there are more.
   */
  async #removeSuppressedAndFinish(): Promise<CampaignRow | undefined> {
    const { db, encryption, hash, clock } = this.#options;
    const { workspaceId, sequence } = this.#campaign;
    const now = clock().getTime();
    return inTransaction(db, async (transaction) => {
      await lockNumbers(transaction.$pickTables<'number_key'>(), workspaceId);
      const listed = { since: this.#begunAt - clockDifference, limit: removalBatchSize };
      const { recipients: removed } = await removeSuppressed(
        transaction,
        workspaceId,
        { listed, campaign: sequence },
        { encryption, hash, now },
      );
      if (removed === removalBatchSize) {
        return undefined;
      }
      await this.#discardReplaced(transaction);
      const row = await moveCampaigns(transaction, 'finishImport')
        .set({ state_changed_at: now })
        .where('sequence', '=', sequence)
        .returningAll()
        .executeTakeFirstOrThrow(() => new NoLongerDraftError());
      await this.#options.appendAudit(transaction, [campaignEntry('campaign.import', row)]);
      return row;
    });
  }

  /** Discards the draft that this campaign takes the place of, in the transaction that makes this one ready. */
  async #discardReplaced(transaction: Transaction<Schema>): Promise<void> {
    const { workspaceId, replaces } = this.#newCampaign;
    if (replaces === undefined) {
      return;
    }
    const discarded = await moveCampaigns(transaction, 'discard')
      .set(discardedColumns)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', replaces)
      .where('state', '=', 'ready')
      .returningAll()
      .executeTakeFirst();
    if (discarded === undefined) {
      throw new NoLongerDraftError();
    }
    await this.#options.appendAudit(transaction, [
      campaignEntry('campaign.edit', discarded, { id: replaces }),
    ]);
  }
}

import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { type ContentHashes, digestOf, hashPart } from '../../../domain/campaigns/campaign-version.ts';
import { fileBounds } from '../../../domain/csv/file-bounds.ts';
import type { RejectedRow } from '../../../domain/csv/rejected-row.ts';
import type { TableReading } from '../../../domain/csv/table-reading.ts';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import type { BatchSize } from '../../../lib/batches.ts';
import { createYield } from '../../../lib/yield-to-event-loop.ts';
import type { AppendAudit } from '../../audit/audit-trail.ts';
import type { StoreContext } from '../../context.ts';
import { additionalDataOf } from '../../engine/encryption/encrypted-column.ts';
import type { HashNumber } from '../../engine/encryption/phone-hashes.ts';
import { encryptedColumn, type Schema } from '../../schema/schema.ts';
import { awaitTelling, campaignEntry, moveCampaigns } from '../campaign-moves.ts';
import type { Campaign, CampaignCounts, NewCampaign, ReadRow } from '../campaigns.ts';
import { chunkAdditionalData } from '../chunk-content.ts';
import { encryptContent, toCampaign, writeRecipients, writeRejectedRows } from '../row-mapping.ts';
import { removeAccepted } from '../sending/remove-accepted.ts';
import { removeSuppressed } from '../sending/remove-waiting.ts';
import {
  type AssignedChunks,
  type AssignedHash,
  assignChunks,
  noProgress,
  type Recipient,
} from './assign-chunks.ts';
import { finishImports, NoLongerDraftError } from './finish-imports.ts';
import {
  createHashFilter,
  createHashWriteBuffer,
  findKnownHashes,
  type ImportedCampaign,
  type KnownHashes,
  suppressedHashes,
} from './hashes.ts';
import type { ChunkRow, StoreImportBatch } from './import-batch.ts';

/** Hashes that are kept in memory, see `createHashWriteBuffer`. */
const maxBufferedHashes = 60_000;
/** Hashes of one transaction at the end. */
const hashBatchSize = 500;
/** Recipients that are removed in one transaction for one reason. */
const removalBatchSize = 100;
/** In milliseconds: the most by which the clocks of the importing and the listing instance may differ. */
const clockDifference = 10 * 60_000;

/** What an import has of its own. */
interface Import {
  sequence: number;
  /** Its id until it is ready. Differs from the final id if it replaces a draft with the same one. */
  id: string;
  /** Always the same: another key would be made for a workspace that was deleted. */
  hash: HashNumber;
  store: StoreImportBatch;
  discard: () => Promise<unknown>;
  appendAudit: AppendAudit;
}

interface StoredBatch extends Pick<AssignedChunks, 'full' | 'progress'> {
  rejected: readonly RejectedRow[];
  /** Buffered hashes to store. */
  overdue: readonly AssignedHash[];
}

/** Writes the recipients of a campaign that is imported, in constant memory. One call at a time. */
export class ImportWriter {
  readonly #context: StoreContext;
  readonly #newCampaign: NewCampaign;
  readonly #campaign: ImportedCampaign;
  readonly #import: Import;
  readonly #fullChunk: BatchSize;
  readonly #begunAt: Date;
  /** Hashes of stored recipients that are not stored yet. */
  readonly #buffer = createHashWriteBuffer();
  /** Of stored recipients, and of the suppression list at the start. */
  readonly #known = createHashFilter();
  #knowsSuppressed = false;
  readonly #giveWay = createYield();
  #columns: readonly string[] | undefined;
  #progress = noProgress;
  #rejectedBatches = 0;
  /** Hashes all rows of the list, before any recipient is removed. */
  #list = createHash('sha256');

  constructor(context: StoreContext, campaign: NewCampaign, importing: Import) {
    const { workspaceId, personal } = campaign;
    this.#context = context;
    this.#newCampaign = campaign;
    this.#campaign = { workspaceId, sequence: importing.sequence };
    this.#import = importing;
    this.#fullChunk = { count: chunkSize({ personal }), bytes: fileBounds.chunk };
    this.#begunAt = context.clock();
  }

  /**
   * Stores the titles of the list's columns, which are known once it was opened.
   *
   * @throws NoLongerDraftError if the campaign was deleted with its workspace
   */
  async setColumns(titles: readonly string[]): Promise<void> {
    const { db, encryption } = this.#context;
    const { workspaceId, text } = this.#newCampaign;
    const content = { workspaceId, id: this.#import.id, text, columns: titles };
    await db
      .updateTable('campaign')
      .set(encryptContent(encryption, content))
      .where('sequence', '=', this.#campaign.sequence)
      .where('state', '=', 'reading')
      .returning('sequence')
      .executeTakeFirstOrThrow(() => new NoLongerDraftError());
    this.#columns = titles;
  }

  /** Makes the reading of the list a part of the version. Called before the first row. */
  setReading({ titleLine, column }: TableReading): void {
    this.#list.update(`${JSON.stringify([titleLine ?? null, column ?? null])}\n`);
  }

  /**
   * Takes up to about 500 rows, within the bytes of `fileBounds.batch`. Returns the counts so far. After an
   * error, the same rows can be added again.
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
   * @throws NoLongerDraftError as `add`, or if the draft to replace was already started; abandon it then
   */
  async finish(): Promise<Campaign> {
    const { replaces } = this.#newCampaign;
    const [campaign] = await finishImports(this.#context, [this], replaces);
    if (campaign === undefined) {
      throw new NoLongerDraftError();
    }
    return campaign;
  }

  /** Stores the rows still in memory. Called once, after the last row. */
  async flush(): Promise<void> {
    await this.#write([], true);
    while (this.#buffer.size > 0) {
      const hashes = this.#buffer.next(hashBatchSize);
      await this.#store({ full: [], progress: this.#progress, rejected: [], overdue: hashes });
      this.#buffer.drop(hashes);
    }
  }

  /** Discards the campaign. */
  async abandon(): Promise<void> {
    await this.#import.discard();
  }

  /** Stores a batch in one transaction. What is in memory changes only once it is committed. */
  async #write(rows: readonly ReadRow[], isLast: boolean): Promise<void> {
    const recipients = rows.filter((row) => row.kind === 'recipient');
    const rejected = rows.filter((row) => row.kind === 'invalid');
    const hashes = await this.#hashesOf(recipients);
    const list = await this.#listWith(rows);
    const batch = { recipients, hashes, rejected };
    const { suppressed, stored } = await this.#find(hashes);
    const assigned = assignChunks(this.#progress, batch, {
      fullChunk: this.#fullChunk,
      isLast,
      // The review of a message for later names them.
      isSuppressed: (hash) => this.#newCampaign.isMessage !== true && suppressed.has(hash),
      isKnown: (hash) => stored.has(hash) || this.#buffer.has(hash),
    });
    const overdue = this.#buffer.next(this.#buffer.size - maxBufferedHashes);
    await this.#store({ ...assigned, rejected, overdue });

    this.#buffer.drop(overdue);
    for (const each of assigned.hashes) {
      this.#buffer.add(each);
      this.#known.add(each.hash);
    }
    this.#list = list;
    this.#progress = assigned.progress;
    this.#rejectedBatches += rejected.length > 0 ? 1 : 0;
  }

  async #hashesOf(recipients: readonly Recipient[]): Promise<string[]> {
    const hashes: string[] = [];
    for (const { number } of recipients) {
      hashes.push(this.#import.hash(number));
      await this.#giveWay();
    }
    return hashes;
  }

  /** Returns the digest of the list including these rows. A copy, because the batch may be added again. */
  async #listWith(rows: readonly ReadRow[]) {
    const list = this.#list.copy();
    for (const row of rows) {
      const number = row.kind === 'recipient' ? row.number : row.text;
      // Separate calls, because joining the line feed would copy a row that may be long.
      list.update(JSON.stringify([number.toWellFormed(), row.cells ?? null]));
      list.update('\n');
      await this.#giveWay();
    }
    return list;
  }

  /** Asks the database only for those hashes that it may have. What is listed from now on is removed at the end. */
  async #find(hashes: readonly string[]): Promise<KnownHashes> {
    const { db } = this.#context;
    if (!this.#knowsSuppressed) {
      for await (const listed of suppressedHashes(db, this.#campaign)) {
        listed.forEach(this.#known.add);
      }
      this.#knowsSuppressed = true;
    }
    return findKnownHashes(db, this.#campaign, hashes.filter(this.#known.mayHave));
  }

  async #store({ full, progress, rejected, overdue }: StoredBatch): Promise<void> {
    const { encryption } = this.#context;
    const { workspaceId, sequence } = this.#campaign;
    const chunks: ChunkRow[] = [];
    for (const recipients of full) {
      const number = this.#progress.counts.chunks + chunks.length;
      const to = recipients.map((recipient) => recipient.number);
      const cells = recipients.map((recipient) => recipient.cells ?? []);
      const content = writeRecipients({ to, text: recipients[0]?.text, cells });
      chunks.push({
        number,
        recipients: recipients.length,
        pages: recipients.reduce((sum, { pages }) => sum + pages, 0),
        value: encryption.encrypt(content, chunkAdditionalData(workspaceId, sequence, number)),
      });
      await this.#giveWay();
    }
    const { counts, invalidByProblem, countries, countryPages } = progress;
    const number = this.#rejectedBatches;
    const rejectedColumn = encryptedColumn('campaignRejectedRow', 'value');
    const additionalData = additionalDataOf(rejectedColumn, { workspaceId, campaign: sequence, number });
    const isStored = await this.#import.store({
      campaign: sequence,
      workspaceId,
      hashes: overdue,
      chunks,
      rejected:
        rejected.length === 0
          ? undefined
          : { number, value: encryption.encrypt(writeRejectedRows(rejected), additionalData) },
      counts: {
        ...counts,
        invalidByProblem: JSON.stringify(invalidByProblem),
        countries: JSON.stringify(countries),
        countryPages: JSON.stringify(countryPages),
      },
    });
    if (!isStored) {
      throw new NoLongerDraftError();
    }
  }

  /**
   * Removes numbers that were added to the do-not-contact list during the import, and recipients who turned
   * out to have been reached before, up to a batch of each. Resolves with whether those were the last. After
   * that, `SuppressionList.add` and the updates of unconfirmed recipients remove them.
   */
  async removeLate(transaction: Transaction<Schema>, now: Date): Promise<boolean> {
    const { encryption } = this.#context;
    const { workspaceId, sequence } = this.#campaign;
    const options = { encryption, hash: this.#import.hash, now };
    const since = new Date(this.#begunAt.getTime() - clockDifference);
    const late = { listed: { since, limit: removalBatchSize }, campaign: sequence };
    const { recipients: removed } = await removeSuppressed(transaction, workspaceId, late, options);
    const before = { rest: sequence, limit: removalBatchSize };
    const { recipients: accepted } = await removeAccepted(transaction, workspaceId, before, options);
    return removed < removalBatchSize && accepted < removalBatchSize;
  }

  async makeReady(transaction: Transaction<Schema>, now: Date): Promise<Campaign> {
    const { id, workspaceId, text, partOf = 0 } = this.#newCampaign;
    const { sequence } = this.#campaign;
    const content = { workspaceId, id, text, columns: this.#columns };
    const row = await moveCampaigns(transaction, 'finishImport')
      .set(this.#import.id === id ? {} : { id, ...encryptContent(this.#context.encryption, content) })
      .set((eb) => ({
        stateChangedAt: now,
        digest: this.#digest(),
        listSize: sql<number>`case when ${eb.ref('recipients')} > ${partOf} then ${eb.ref('recipients')} else ${partOf} end`,
      }))
      .where('sequence', '=', sequence)
      .returningAll()
      .executeTakeFirstOrThrow(() => new NoLongerDraftError());
    if (this.#newCampaign.isAwaited) {
      await awaitTelling(transaction, this.#newCampaign, now);
    }
    await this.#import.appendAudit(transaction, [campaignEntry('campaign.import', row)]);
    return { ...toCampaign(row, id), text, columns: this.#columns };
  }

  #digest(): string {
    const { name, text, plainCells = false, withoutAccents = false, route, senderId } = this.#newCampaign;
    const hash = (part: keyof ContentHashes, content: unknown) => hashPart(this.#import.hash, part, content);
    return digestOf({
      name: hash('name', name),
      text: hash('text', [text, this.#columns ?? null, plainCells, withoutAccents]),
      sender: hash('sender', [route, senderId]),
      recipients: hash('recipients', this.#list.copy().digest('base64url')),
    });
  }

  get sequence(): number {
    return this.#campaign.sequence;
  }

  get workspaceId(): string {
    return this.#campaign.workspaceId;
  }

  get appendAudit(): AppendAudit {
    return this.#import.appendAudit;
  }
}

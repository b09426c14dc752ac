import type { Kysely } from 'kysely';
import { chunkAdditionalData, rejectedRowAdditionalData } from '../additional-data.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import type { PhoneHashes } from '../../encryption/phone-hashes.ts';
import type { Schema } from '../../schema.ts';
import type { CampaignCounts, ImportWriter, NewCampaign, ReadRow, RejectedRow } from '../campaigns.ts';
import { createHashWriteBuffer } from './hash-write-buffer.ts';
import { removeSuppressed } from '../sending/remove-suppressed.ts';
import { type CampaignRow, toCampaign, writeContent, writeRejectedRows } from '../row-mapping.ts';

/** The most recipients of one request (API §4.3). */
const chunkSize = 100;
/** Hashes that are held back, see `NumberBuffer`. */
const mostHeld = 20_000;
const sliceSize = 500;
const batchSize = 50;
/** Taken out together, while others wait for the database. */
const takenOutAtOnce = 100;

interface WriterOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  numberHashes: PhoneHashes;
  clock: () => Date;
  /** Deletes what was written. */
  discard: () => Promise<void>;
}

type Recipient = Extract<ReadRow, { kind: 'recipient' }>;

/** What is written together. Replaced as a whole once it lies on the disk: what failed can be tried anew. */
interface Progress {
  counts: CampaignCounts;
  /** The chunk that is not full yet, and so not written. */
  open: Recipient[];
  /** Writings with left-out rows. */
  leftOut: number;
}

/** See `CampaignWriter`. What it keeps in memory does not grow with the recipients. */
export function createImportWriter(
  campaign: NewCampaign,
  sequence: number,
  { db, encryption, numberHashes, clock, discard }: WriterOptions,
): ImportWriter {
  const { workspaceId, id, personal } = campaign;
  const size = personal ? 1 : chunkSize;
  const begunAt = clock().getTime();
  let progress: Progress = { counts: noCounts, open: [], leftOut: 0 };
  const held = createHashWriteBuffer();

  async function write(rows: readonly ReadRow[], last: boolean): Promise<Progress> {
    const recipients = rows.filter((row) => row.kind === 'recipient');
    const leftOut = rows.filter((row) => row.kind === 'invalid');
    const hashes = await numberHashes.of(
      workspaceId,
      recipients.map(({ number }) => number),
    );
    const numbers: { hash: string; chunk: number }[] = [];
    const overdue = held.next(held.size - mostHeld);
    const written = await db.transaction().execute(async (transaction) => {
      const refused = await thoseFound(hashes, (some) =>
        transaction
          .selectFrom('suppression')
          .select('hash')
          .where('workspace_id', '=', workspaceId)
          .where('hash', 'in', some)
          .execute(),
      );
      const known = await thoseFound(hashes, (some) =>
        transaction
          .selectFrom('campaign_number')
          .select('hash')
          .where('campaign', '=', sequence)
          .where('hash', 'in', some)
          .execute(),
      );

      const counts = { ...progress.counts, invalid: progress.counts.invalid + leftOut.length };
      const full: Recipient[][] = [];
      let open = [...progress.open];
      for (const [index, recipient] of recipients.entries()) {
        const hash = hashes[index];
        if (hash === undefined) {
          continue;
        }
        if (refused.has(hash)) {
          counts.suppressed += 1;
        } else if (known.has(hash) || held.has(hash)) {
          counts.duplicates += 1;
        } else {
          known.add(hash);
          numbers.push({ hash, chunk: Math.floor(counts.recipients / size) });
          count(counts, recipient);
          open.push(recipient);
          if (open.length === size) {
            full.push(open);
            open = [];
          }
        }
      }
      if (last && open.length > 0) {
        full.push(open);
        open = [];
      }

      await writeNumbers(transaction, overdue);
      await writeChunks(transaction, full, counts.chunks);
      counts.chunks += full.length;
      if (leftOut.length > 0) {
        const number = progress.leftOut;
        const value = encryption.encrypt(
          writeRejectedRows(leftOut.map(wellFormed)),
          rejectedRowAdditionalData(workspaceId, sequence, number),
        );
        await transaction
          .insertInto('campaign_rejected_row')
          .values({ campaign: sequence, number, workspace_id: workspaceId, value })
          .execute();
      }
      const { numUpdatedRows } = await transaction
        .updateTable('campaign')
        .set(columnsOf(counts))
        .where('sequence', '=', sequence)
        .where('state', '=', 'reading')
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        throw new Error('The campaign is no longer being read');
      }
      return { counts, open, leftOut: progress.leftOut + (leftOut.length > 0 ? 1 : 0) };
    });
    held.drop(overdue);
    for (const number of numbers) {
      held.add(number);
    }
    return written;
  }

  async function writeNumbers(
    database: Kysely<Schema>,
    numbers: readonly { hash: string; chunk: number }[],
  ): Promise<void> {
    for (const some of inBatches(numbers)) {
      const values = some.map(({ hash, chunk }) => ({ campaign: sequence, hash, chunk }));
      await database.insertInto('campaign_number').values(values).execute();
    }
  }

  async function writeChunks(
    database: Kysely<Schema>,
    recipients: readonly Recipient[][],
    first: number,
  ): Promise<void> {
    const chunks = recipients.map((members, index) => ({ members, number: first + index }));
    for (const some of inBatches(chunks)) {
      const states = some.map(({ members, number }) => ({
        campaign: sequence,
        number,
        state: 'waiting' as const,
        recipients: members.length,
        pages: members.reduce((sum, { pages }) => sum + pages, 0),
      }));
      await database.insertInto('campaign_chunk').values(states).execute();
      const contents = some.map(({ members, number }) => {
        const to = members.map((member) => member.number);
        const content = writeContent(to, personal ? members[0]?.text : undefined);
        const value = encryption.encrypt(content, chunkAdditionalData(workspaceId, sequence, number));
        return { campaign: sequence, number, workspace_id: workspaceId, value };
      });
      await database.insertInto('campaign_chunk_content').values(contents).execute();
    }
  }

  /**
   * Takes out who was put on the do-not-contact list while it was read; the campaign is ready where those were the last
   * of them. From then on, whoever is put on the list is taken out by that.
   */
  function beReady(): Promise<CampaignRow | undefined> {
    const now = clock().getTime();
    return db.transaction().execute(async (transaction) => {
      const unwanted = { listed: { since: begunAt, atMost: takenOutAtOnce }, campaign: sequence };
      const taken = await removeSuppressed(transaction, workspaceId, unwanted, { encryption, now });
      if (taken === takenOutAtOnce) {
        return undefined;
      }
      return transaction
        .updateTable('campaign')
        .set({ state: 'ready', state_changed_at: now })
        .where('sequence', '=', sequence)
        .where('state', '=', 'reading')
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  return {
    async add(rows) {
      progress = await write(rows, false);
      return progress.counts;
    },

    async finish() {
      progress = await write([], true);
      while (held.size > 0) {
        const numbers = held.next(sliceSize);
        await writeNumbers(db, numbers);
        held.drop(numbers);
      }
      for (;;) {
        const row = await beReady();
        if (row !== undefined) {
          return { ...toCampaign(row, id), text: campaign.text };
        }
      }
    },

    abandon: discard,
  };
}

const noCounts: CampaignCounts = {
  recipients: 0,
  duplicates: 0,
  suppressed: 0,
  invalid: 0,
  pages: 0,
  fewestPages: 0,
  mostPages: 0,
  quiet: 0,
  accepted: 0,
  rejected: 0,
  unconfirmed: 0,
  chunks: 0,
};

function count(counts: CampaignCounts, { pages, quiet }: Recipient): void {
  counts.fewestPages = counts.recipients === 0 ? pages : Math.min(counts.fewestPages, pages);
  counts.mostPages = Math.max(counts.mostPages, pages);
  counts.recipients += 1;
  counts.pages += pages;
  counts.quiet += quiet ? 1 : 0;
}

function columnsOf(counts: CampaignCounts) {
  return {
    recipients: counts.recipients,
    duplicates: counts.duplicates,
    suppressed: counts.suppressed,
    invalid: counts.invalid,
    pages: counts.pages,
    fewest_pages: counts.fewestPages,
    most_pages: counts.mostPages,
    quiet: counts.quiet,
    chunks: counts.chunks,
  };
}

/** Those of the hashes that a query finds. */
async function thoseFound(
  hashes: readonly string[],
  find: (hashes: readonly string[]) => Promise<{ hash: string }[]>,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of inBatches(hashes)) {
    for (const { hash } of await find(some)) {
      found.add(hash);
    }
  }
  return found;
}

/** Of one size, so that the statements are few and can stay prepared. */
function* inBatches<Item>(items: readonly Item[]): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += batchSize) {
    yield items.slice(start, start + batchSize);
  }
}

/** A file may hold half a character, which cannot be kept. */
function wellFormed({ line, text, reason }: RejectedRow): RejectedRow {
  return { line, text: text.toWellFormed(), reason: reason.toWellFormed() };
}

import { type Kysely, sql, type Transaction } from 'kysely';
import type { RejectedRow } from '../../../domain/csv/rejected-row.ts';
import { isPostgres } from '../../dialect.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import type { Schema } from '../../schema.ts';
import { chunkAdditionalData, rejectedRowsAdditionalData } from '../encrypted-columns.ts';
import { writeRecipients, writeRejectedRows } from '../row-mapping.ts';
import type { ImportProgress, PlacedHash, Recipient } from './assign-chunks.ts';

/** Rows of one statement on SQLite. Always the same, so that the statements are few and stay prepared. */
const batchSize = 50;

/** The campaign that is imported. */
export interface ImportedCampaign {
  workspaceId: string;
  sequence: number;
}

/** Returns those of the hashes that are on the suppression list. */
export function findSuppressedHashes(
  db: Kysely<Schema>,
  { workspaceId }: ImportedCampaign,
  hashes: readonly string[],
): Promise<Set<string>> {
  return findHashes(db, hashes, (batch) =>
    db
      .selectFrom('suppression')
      .select('hash')
      .where('workspace_id', '=', workspaceId)
      .where('hash', 'in', batch)
      .execute(),
  );
}

/** Returns those of the hashes that are stored with the campaign. */
export function findStoredHashes(
  db: Kysely<Schema>,
  { sequence }: ImportedCampaign,
  hashes: readonly string[],
): Promise<Set<string>> {
  return findHashes(db, hashes, (batch) =>
    db
      .selectFrom('campaign_number')
      .select('hash')
      .where('campaign', '=', sequence)
      .where('hash', 'in', batch)
      .execute(),
  );
}

async function findHashes(
  db: Kysely<Schema>,
  hashes: readonly string[],
  select: (batch: string[]) => Promise<{ hash: string }[]>,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const batch of inBatches(hashes, rowsOfStatement(db))) {
    for (const { hash } of await select(batch)) {
      found.add(hash);
    }
  }
  return found;
}

export async function insertHashes(
  db: Kysely<Schema>,
  { sequence }: ImportedCampaign,
  hashes: readonly PlacedHash[],
): Promise<void> {
  if (isPostgres(db)) {
    await insertHashArrays(db, sequence, hashes);
    return;
  }
  for (const batch of inBatches(hashes)) {
    const values = batch.map(({ hash, chunk }) => ({ campaign: sequence, hash, chunk }));
    await db.insertInto('campaign_number').values(values).execute();
  }
}

/** However many there are, the statement has two parameters for them. */
async function insertHashArrays(
  db: Kysely<Schema>,
  campaign: number,
  hashes: readonly PlacedHash[],
): Promise<void> {
  if (hashes.length > 0) {
    await sql`
      insert into campaign_number (campaign, hash, chunk)
      select ${campaign}, hash, chunk
      from unnest(${hashes.map(({ hash }) => hash)}::text[], ${hashes.map(({ chunk }) => chunk)}::bigint[])
        as placed (hash, chunk)`.execute(db);
  }
}

/** Inserts chunks with their recipients, numbered from `first` on. */
export async function insertChunks(
  db: Kysely<Schema>,
  encryption: Encryption,
  { workspaceId, sequence }: ImportedCampaign,
  { chunks, first }: { chunks: readonly Recipient[][]; first: number },
): Promise<void> {
  const numbered = chunks.map((recipients, index) => ({ recipients, number: first + index }));
  for (const batch of inBatches(numbered, rowsOfStatement(db))) {
    const states = batch.map(({ recipients, number }) => ({
      campaign: sequence,
      number,
      state: 'waiting' as const,
      recipients: recipients.length,
      pages: recipients.reduce((sum, { pages }) => sum + pages, 0),
    }));
    await db.insertInto('campaign_chunk').values(states).execute();
    const contents = batch.map(({ recipients, number }) => {
      const to = recipients.map((recipient) => recipient.number);
      const cells = recipients.map((recipient) => recipient.cells ?? []);
      const content = writeRecipients({ to, text: recipients[0]?.text, cells });
      const value = encryption.encrypt(content, chunkAdditionalData(workspaceId, sequence, number));
      return { campaign: sequence, number, workspace_id: workspaceId, value };
    });
    await db.insertInto('campaign_chunk_content').values(contents).execute();
  }
}

/** @param number of the batch, from 0 */
export async function insertRejectedRows(
  db: Kysely<Schema>,
  encryption: Encryption,
  { workspaceId, sequence }: ImportedCampaign,
  { rows, number }: { rows: readonly RejectedRow[]; number: number },
): Promise<void> {
  const additionalData = rejectedRowsAdditionalData(workspaceId, sequence, number);
  const value = encryption.encrypt(writeRejectedRows(rows), additionalData);
  await db
    .insertInto('campaign_rejected_row')
    .values({ campaign: sequence, number, workspace_id: workspaceId, value })
    .execute();
}

/** A campaign that is imported, or the draft that it was to replace, was started, scheduled, discarded or deleted meanwhile. */
export class NoLongerDraftError extends Error {
  override readonly name = 'NoLongerDraftError';
}

/**
 * Locks the campaign until the transaction ends.
 *
 * @throws NoLongerDraftError where the campaign is no longer `reading`
 */
export async function lockReading(
  transaction: Transaction<Schema>,
  { sequence }: ImportedCampaign,
): Promise<void> {
  const row = await transaction
    .selectFrom('campaign')
    .select('state')
    .where('sequence', '=', sequence)
    .forUpdate()
    .executeTakeFirst();
  if (row?.state !== 'reading') {
    throw new NoLongerDraftError();
  }
}

/** @throws NoLongerDraftError where the campaign is no longer `reading` */
export async function updateCounts(
  db: Kysely<Schema>,
  { sequence }: ImportedCampaign,
  { counts, invalidByProblem, countries }: ImportProgress,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('campaign')
    .set({
      recipients: counts.recipients,
      duplicates: counts.duplicates,
      suppressed: counts.suppressed,
      invalid: counts.invalid,
      invalid_by_problem: JSON.stringify(invalidByProblem),
      countries: JSON.stringify(countries),
      pages: counts.pages,
      fewest_pages: counts.fewestPages,
      most_pages: counts.mostPages,
      quiet: counts.quiet,
      chunks: counts.chunks,
    })
    .where('sequence', '=', sequence)
    .where('state', '=', 'reading')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new NoLongerDraftError();
  }
}

/** On PostgreSQL, where each statement goes to the server and back, as many as come at once. */
function rowsOfStatement(db: Kysely<Schema>): number {
  return isPostgres(db) ? 1_000 : batchSize;
}

function* inBatches<Item>(items: readonly Item[], size = batchSize): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size);
  }
}

import type { RejectedRow } from '../../../domain/csv/rejected-row.ts';
import type { Encryption } from '../../encryption/cipher.ts';
import { chunkAdditionalData, rejectedRowsAdditionalData } from '../encrypted-columns.ts';
import { writeRecipients, writeRejectedRows } from '../row-mapping.ts';
import type { ImportProgress, Recipient } from './assign-chunks.ts';
import type { ChunkRow, ImportBatch, ImportCounts } from './import-batch.ts';
import type { ImportedCampaign } from './known-hashes.ts';

export function toChunkRow(
  encryption: Encryption,
  { workspaceId, sequence }: ImportedCampaign,
  { recipients, number }: { recipients: readonly Recipient[]; number: number },
): ChunkRow {
  const to = recipients.map((recipient) => recipient.number);
  const cells = recipients.map((recipient) => recipient.cells ?? []);
  const content = writeRecipients({ to, text: recipients[0]?.text, cells });
  return {
    number,
    recipients: recipients.length,
    pages: recipients.reduce((sum, { pages }) => sum + pages, 0),
    value: encryption.encrypt(content, chunkAdditionalData(workspaceId, sequence, number)),
  };
}

/** @param batch.number of the rejected rows' batches, from 0 */
export function toRejectedRow(
  encryption: Encryption,
  { workspaceId, sequence }: ImportedCampaign,
  { rows, number }: { rows: readonly RejectedRow[]; number: number },
): NonNullable<ImportBatch['rejected']> {
  const additionalData = rejectedRowsAdditionalData(workspaceId, sequence, number);
  return { number, value: encryption.encrypt(writeRejectedRows(rows), additionalData) };
}

export function toCountColumns({
  counts,
  invalidByProblem,
  countries,
  countryPages,
}: ImportProgress): ImportCounts {
  return {
    recipients: counts.recipients,
    duplicates: counts.duplicates,
    suppressed: counts.suppressed,
    invalid: counts.invalid,
    invalid_by_problem: JSON.stringify(invalidByProblem),
    countries: JSON.stringify(countries),
    country_pages: JSON.stringify(countryPages),
    pages: counts.pages,
    fewest_pages: counts.fewestPages,
    most_pages: counts.mostPages,
    quiet: counts.quiet,
    chunks: counts.chunks,
  };
}

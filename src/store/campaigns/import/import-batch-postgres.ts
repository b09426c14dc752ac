import type { PrepareQuery } from '../../postgres/database.ts';
import type { StoreImportBatch } from './import-batch.ts';

/** A statement, which is a transaction: the campaign is locked and looked at first, and all else depends on it. */
const statement = `
with reading as (
  update campaign
  set recipients = $2, duplicates = $3, suppressed = $4, invalid = $5, invalid_by_problem = $6, countries = $7, pages = $8,
    fewest_pages = $9, most_pages = $10, quiet = $11, chunks = $12, country_pages = $22
  where sequence = $1::bigint and state = 'reading'
  returning sequence
),
numbers as (
  insert into campaign_number (campaign, hash, chunk)
  select sequence, hash, chunk from reading, unnest($13::text[], $14::bigint[]) as placed (hash, chunk)
),
chunks as (
  insert into campaign_chunk (campaign, number, state, recipients, pages)
  select sequence, number, 'waiting', recipients, pages
  from reading, unnest($15::bigint[], $16::bigint[], $17::bigint[]) as full_chunk (number, recipients, pages)
),
contents as (
  insert into campaign_chunk_content (campaign, number, workspace_id, value)
  select sequence, number, $19::text, value from reading, unnest($15::bigint[], $18::text[]) as content (number, value)
),
rejected as (
  insert into campaign_rejected_row (campaign, number, workspace_id, value)
  select sequence, $20::bigint, $19::text, $21::text from reading where $21::text is not null
)
select 1 from reading`;

/** Returns what stores a batch on PostgreSQL: in one round trip. */
export function createStoreImportBatch(prepare: PrepareQuery): StoreImportBatch {
  const run = prepare('store_import_batch', statement);
  return async ({ campaign, workspaceId, hashes, chunks, rejected, counts }) => {
    const stored = await run([
      campaign,
      counts.recipients,
      counts.duplicates,
      counts.suppressed,
      counts.invalid,
      counts.invalid_by_problem,
      counts.countries,
      counts.pages,
      counts.fewest_pages,
      counts.most_pages,
      counts.quiet,
      counts.chunks,
      hashes.map(({ hash }) => hash),
      hashes.map(({ chunk }) => chunk),
      chunks.map(({ number }) => number),
      chunks.map(({ recipients }) => recipients),
      chunks.map(({ pages }) => pages),
      chunks.map(({ value }) => value),
      workspaceId,
      rejected?.number ?? null,
      rejected?.value ?? null,
      counts.country_pages,
    ]);
    return stored.length > 0;
  };
}

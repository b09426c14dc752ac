import { type Kysely, sql } from 'kysely';
import type { ProblemCounts } from '../../../domain/csv/rejected-row.ts';
import type { PrepareQuery } from '../../engine/postgres/database.ts';
import { prepareStatement, slot } from '../../engine/sqlite/prepared-statement.ts';
import type { Schema } from '../../schema/schema.ts';
import type { ImportStatements, StoreImportBatch } from './import-batch.ts';

const countSlots = {
  recipients: slot<number>('recipients'),
  duplicates: slot<number>('duplicates'),
  suppressed: slot<number>('suppressed'),
  invalid: slot<number>('invalid'),
  invalidByProblem: slot<ProblemCounts>('invalidByProblem'),
  countries: slot<Record<string, number>>('countries'),
  countryPages: slot<Record<string, number>>('countryPages'),
  pages: slot<number>('pages'),
  fewestPages: slot<number>('fewestPages'),
  mostPages: slot<number>('mostPages'),
  quiet: slot<number>('quiet'),
  chunks: slot<number>('chunks'),
};

/**
 * The statements of SQLite, apart from the procedure: the thread of the database does not load the query builder. Each run
 * passes values as they are stored: counts by problem and by country as JSON.
 */
export function importStatements(db: Kysely<Schema>): ImportStatements {
  const campaign = slot<number>('campaign');
  const list = slot<string>('list');
  const compiled = (statement: ReturnType<typeof sql>) =>
    prepareStatement<unknown>({ compile: () => statement.compile(db) });
  return {
    count: prepareStatement(
      db
        .updateTable('campaign')
        .set(countSlots)
        .where('sequence', '=', campaign)
        .where('state', '=', 'reading')
        .returning('sequence'),
    ),
    addHashes: compiled(sql`
insert into campaign_number (campaign, hash, chunk)
select ${campaign}, value ->> 0, value ->> 1 from json_each(${list})`),
    addChunks: compiled(sql`
insert into campaign_chunk (campaign, number, state, recipients, pages)
select ${campaign}, value ->> 0, 'waiting', value ->> 1, value ->> 2 from json_each(${list})`),
    addContent: prepareStatement(
      db.insertInto('campaignChunkContent').values({
        campaign,
        number: slot<number>('number'),
        workspaceId: slot<string>('workspaceId'),
        value: slot<string>('value'),
      }),
    ),
    addRejected: prepareStatement(
      db.insertInto('campaignRejectedRow').values({
        campaign,
        number: slot<number>('number'),
        workspaceId: slot<string>('workspaceId'),
        value: slot<string>('value'),
      }),
    ),
  };
}

/** A statement, which is a transaction: the campaign is locked and looked at first, and all else depends on it. */
const postgresStatement = `
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
  const run = prepare('store_import_batch', postgresStatement);
  return async ({ campaign, workspaceId, hashes, chunks, rejected, counts }) => {
    const stored = await run([
      campaign,
      counts.recipients,
      counts.duplicates,
      counts.suppressed,
      counts.invalid,
      counts.invalidByProblem,
      counts.countries,
      counts.pages,
      counts.fewestPages,
      counts.mostPages,
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
      counts.countryPages,
    ]);
    return stored.length > 0;
  };
}

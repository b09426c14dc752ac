import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../schema.ts';
import { prepareStatement, slot } from '../../sqlite/prepared-statement.ts';
import type { ImportStatements } from './import-batch.ts';

const countSlots = {
  recipients: slot<number>('recipients'),
  duplicates: slot<number>('duplicates'),
  suppressed: slot<number>('suppressed'),
  invalid: slot<number>('invalid'),
  invalid_by_problem: slot<string>('invalid_by_problem'),
  countries: slot<string>('countries'),
  country_pages: slot<string>('country_pages'),
  pages: slot<number>('pages'),
  fewest_pages: slot<number>('fewest_pages'),
  most_pages: slot<number>('most_pages'),
  quiet: slot<number>('quiet'),
  chunks: slot<number>('chunks'),
};

/** Apart from the procedure: the thread of the database does not load the query builder. */
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
    addContents: compiled(sql`
insert into campaign_chunk_content (campaign, number, workspace_id, value)
select ${campaign}, value ->> 0, ${slot<string>('workspaceId')}, value ->> 1 from json_each(${list})`),
    addRejected: prepareStatement(
      db.insertInto('campaign_rejected_row').values({
        campaign,
        number: slot<number>('number'),
        workspace_id: slot<string>('workspaceId'),
        value: slot<string>('value'),
      }),
    ),
  };
}

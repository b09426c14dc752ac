import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What is known of messages to find their requests by: the earliest time that was reported of each, which request of any
 * workspace has named it, and by which unclear answer.
 */
export const messageResolution: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('delivery').addColumn('first_reported_at', 'bigint').execute();
    await sql`create index operation_named on operation (provider_id) where provider_id is not null`.execute(
      db,
    );
    for (const table of ['operation', 'campaign_chunk'] as const) {
      await db.schema.alterTable(table).addColumn('receipt_id', 'text').execute();
    }
    await sql`create index operation_receipt on operation (receipt_id) where receipt_id is not null`.execute(
      db,
    );
    await sql`create index campaign_chunk_receipt on campaign_chunk (receipt_id)
      where receipt_id is not null`.execute(db);
    await db.schema
      .createIndex('message_claim_of_message')
      .on('message_claim')
      .column('provider_id')
      .execute();
  },
};

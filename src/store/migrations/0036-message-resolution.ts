import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What is known of messages to find their requests by: the earliest time that was reported of each, and which request of any
 * workspace has named it.
 */
export const messageResolution: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('delivery').addColumn('first_reported_at', 'bigint').execute();
    await sql`create index operation_named on operation (provider_id) where provider_id is not null`.execute(
      db,
    );
    await db.schema
      .createIndex('message_claim_of_message')
      .on('message_claim')
      .column('provider_id')
      .execute();
  },
};

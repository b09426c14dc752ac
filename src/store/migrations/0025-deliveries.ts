import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What the provider says of messages after it has accepted them; which of its messages an operation without an answer
 * turned out to be; the addresses that it reports to.
 */
export const deliveries: Migration = {
  async up(db: Kysely<unknown>) {
    await createDelivery(db);
    await db.schema
      .createTable('delivery_claim')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('provider_id', 'text', (column) => column.notNull())
      .addColumn('operation_id', 'text', (column) => column.notNull())
      .addColumn('claimed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('delivery_claim_primary', ['workspace_id', 'provider_id'])
      .addUniqueConstraint('delivery_claim_of_operation', ['operation_id'])
      .execute();
    await db.schema
      .createTable('report_address')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('operation').addColumn('resolved_from', 'text').execute();
    await db.schema.alterTable('operation').addColumn('message_channel', 'text').execute();
    await db.schema.alterTable('operation').addColumn('message_ts', 'text').execute();
    await sql`create index operation_of_provider on operation (workspace_id, provider_id)
      where provider_id is not null`.execute(db);
    await sql`create index campaign_chunk_of_provider on campaign_chunk (provider_id)
      where provider_id is not null`.execute(db);
  },
};

async function createDelivery(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('provider_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('progress', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('reported_at', 'bigint', (column) => column.notNull())
    .addColumn('cost', 'text')
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('pending', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('delivery_primary', ['workspace_id', 'provider_id', 'hash'])
    .execute();
  await db.schema
    .createIndex('delivery_of_number')
    .on('delivery')
    .columns(['workspace_id', 'hash'])
    .execute();
  await db.schema
    .createIndex('delivery_recent')
    .on('delivery')
    .columns(['workspace_id', 'received_at'])
    .execute();
  await sql`create index delivery_pending on delivery (received_at) where pending = 1`.execute(db);
}

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../dialect.ts';

/**
 * What became of the recipients of campaigns: what each delivery is counted as, the counts, and which message an
 * unconfirmed recipient, or each number of an unconfirmed operation, turned out to be.
 */
export const campaignReports: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('delivery').addColumn('campaign', 'integer').execute();
    await db.schema.alterTable('delivery').addColumn('counted_as', 'text').execute();
    await db.schema.alterTable('campaign_chunk').addColumn('claimed_at', 'bigint').execute();
    await createCounts(db);
    await createMessageClaim(db);
  },
};

async function createCounts(db: Kysely<unknown>): Promise<void> {
  const inItsIndex = isPostgres(db) ? sql`` : sql`without rowid`;
  await db.schema
    .createTable('campaign_delivery')
    .addColumn('campaign', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('recipients', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('campaign_delivery_primary', ['campaign', 'outcome'])
    .addCheckConstraint('campaign_delivery_recipients', sql`recipients >= 0`)
    .modifyEnd(inItsIndex)
    .execute();
  await db.schema
    .createTable('campaign_report')
    .addColumn('campaign', 'integer', (column) => column.notNull().primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('shown', 'integer', (column) => column.notNull())
    .addColumn('told', 'integer', (column) => column.notNull())
    .execute();
  await sql`create index campaign_report_unshown on campaign_report (campaign) where version <> shown`.execute(
    db,
  );
}

async function createMessageClaim(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('message_claim')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('provider_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('operation_id', 'text')
    .addColumn('campaign', 'integer')
    .addColumn('chunk', 'integer')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('claimed_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('message_claim_primary', ['workspace_id', 'provider_id', 'hash'])
    .addUniqueConstraint('message_claim_of_operation', ['operation_id', 'hash'])
    .addUniqueConstraint('message_claim_of_recipient', ['campaign', 'chunk', 'hash'])
    .addCheckConstraint(
      'message_claim_of_one',
      sql`(operation_id is null) = (campaign is not null) and (campaign is null) = (chunk is null)`,
    )
    .execute();
  await db.schema
    .createIndex('message_claim_of_number')
    .on('message_claim')
    .columns(['workspace_id', 'hash'])
    .execute();
}

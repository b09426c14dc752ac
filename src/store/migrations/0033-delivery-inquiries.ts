import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How far the provider was asked what became of messages without a report. */
export const deliveryInquiries: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('delivery_inquiry')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('campaign', 'integer', (column) => column.notNull())
      .addColumn('round', 'integer', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('position_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('delivery_inquiry_primary', ['workspace_id', 'campaign', 'round'])
      .execute();
    await sql`create index campaign_changed on campaign (state_changed_at)
      where state in ('done', 'cancelled', 'paused')`.execute(db);
  },
};

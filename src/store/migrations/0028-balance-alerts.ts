import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where a workspace is told that its balance runs out, and what it was told. */
export const balanceAlerts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('balance_alert')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('below', 'text')
      .addColumn('within_a_day', 'integer', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('is_low', 'integer', (column) => column.notNull())
      .addColumn('is_short', 'integer', (column) => column.notNull())
      .addColumn('alerts', 'integer', (column) => column.notNull())
      .execute();
  },
};

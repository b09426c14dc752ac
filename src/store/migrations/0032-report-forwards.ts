import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where a workspace's delivery reports are passed on to, and the requests that wait for that. */
export const reportForwards: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('report_forwarding')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addColumn('waiting', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('paused_until', 'bigint', (column) => column.notNull())
      .addColumn('lease', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('delivered_at', 'bigint')
      .addColumn('failed_at', 'bigint')
      .addColumn('failure', 'text')
      .addColumn('dropped', 'bigint', (column) => column.notNull())
      .addColumn('dropped_at', 'bigint')
      .execute();
    await db.schema
      .createTable('report_forward')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('request', 'text', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('report_forward_primary', ['workspace_id', 'id'])
      .execute();
    await db.schema
      .createIndex('report_forward_due')
      .on('report_forward')
      .columns(['workspace_id', 'due_at'])
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The workspaces of enterprise-wide installations, the leases under which installations change, and removed ones. */
export const slackInstallations: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('slack_workspace')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('enterprise_id', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('slack_workspace_of_enterprise')
      .on('slack_workspace')
      .column('enterprise_id')
      .execute();
    await db.schema
      .createTable('slack_lease')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('expires', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('slack_removal')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('removed_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

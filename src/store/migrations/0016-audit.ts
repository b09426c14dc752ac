import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The audit: its entries, the ends of each workspace's chain, and the register of all chains with their key. What ended
 * before is not in it.
 */
export const audit: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit_entry')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('sequence', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subject', 'text')
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('surface', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text')
      .addColumn('details', 'text')
      .addColumn('previous', 'text', (column) => column.notNull())
      .addColumn('mac', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('audit_entry_primary', ['workspace_id', 'sequence'])
      .execute();
    const recent = ['at', 'sequence'] as const;
    await db.schema
      .createIndex('audit_entry_recent')
      .on('audit_entry')
      .columns(['workspace_id', ...recent])
      .execute();
    await db.schema
      .createIndex('audit_entry_of_user')
      .on('audit_entry')
      .columns(['workspace_id', 'user_id', ...recent])
      .execute();
    await db.schema
      .createIndex('audit_entry_of_action')
      .on('audit_entry')
      .columns(['workspace_id', 'action', ...recent])
      .execute();

    await db.schema
      .createTable('audit_chain')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('first', 'bigint', (column) => column.notNull())
      .addColumn('before', 'text', (column) => column.notNull())
      .addColumn('last', 'bigint', (column) => column.notNull())
      .addColumn('end', 'text', (column) => column.notNull())
      .addColumn('mac', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('audit_register')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('chains', 'text', (column) => column.notNull())
      .addColumn('mac', 'text', (column) => column.notNull())
      .execute();

    await db.schema.alterTable('campaign').addColumn('audited_at', 'bigint').execute();
    await sql`update campaign set audited_at = ended_at`.execute(db);
    // It has only campaigns that have just ended, so it stays small however many there are.
    await db.schema
      .createIndex('campaign_unaudited')
      .on('campaign')
      .column('ended_at')
      .where(sql<SqlBool>`ended_at is not null and audited_at is null`)
      .execute();
  },
};

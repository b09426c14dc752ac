import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Requests for approval. */
export const approvals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('approval')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('requested_by', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('campaign_state', 'text')
      .addColumn('recipients', 'integer')
      .addColumn('suppressed', 'integer')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('cause', 'text')
      .addColumn('reason', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('ended_by', 'text')
      .addColumn('performed_at', 'bigint')
      .addColumn('message_channel', 'text')
      .addColumn('message_ts', 'text')
      .addPrimaryKeyConstraint('approval_primary', ['workspace_id', 'id'])
      .addCheckConstraint(
        'approval_state',
        sql`state in ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'void')`,
      )
      .addCheckConstraint('approval_ended', sql`(state = 'waiting') = (ended_at is null)`)
      .execute();
    // At most one of a campaign or an order waits, however many people ask.
    await db.schema
      .createIndex('approval_waiting')
      .unique()
      .on('approval')
      .columns(['workspace_id', 'kind', 'subject'])
      .where(sql<SqlBool>`state = 'waiting'`)
      .execute();
  },
};

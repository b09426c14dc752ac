import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Requests for approval. The outbox takes their notices: SQLite changes no constraint, so its table is made again. */
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
    // At most one of a campaign or an order waits, whoever asks.
    await db.schema
      .createIndex('approval_waiting')
      .unique()
      .on('approval')
      .columns(['workspace_id', 'kind', 'subject'])
      .where(sql<SqlBool>`state = 'waiting'`)
      .execute();

    await db.schema.dropIndex('outbox_due').execute();
    await db.schema.alterTable('outbox').renameTo('outbox_before').execute();
    await db.schema
      .createTable('outbox')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text')
      .addColumn('channel_error', 'text')
      .addColumn('repeated', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('title', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('outbox_primary', ['workspace_id', 'subject', 'subject_id'])
      .addCheckConstraint(
        'outbox_subject',
        sql`subject in ('operation', 'campaign', 'campaign_news', 'import', 'restored', 'approval', 'approval_end', 'approval_news')`,
      )
      .execute();
    await sql`insert into outbox select * from outbox_before`.execute(db);
    await db.schema.dropTable('outbox_before').execute();
    await db.schema.createIndex('outbox_due').on('outbox').columns(['attempts', 'next_attempt_at']).execute();
  },
};

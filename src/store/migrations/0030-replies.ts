import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Messages that came in, and a thread for each number that wrote. */
export const replies: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('reply_thread')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('assigned_to', 'text')
      .addColumn('last_by', 'text', (column) => column.notNull())
      .addColumn('last_at', 'integer', (column) => column.notNull())
      .addColumn('head_id', 'text')
      .addColumn('message_channel', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('reply_thread_key', ['workspace_id', 'id'])
      .addUniqueConstraint('reply_thread_number', ['workspace_id', 'hash'])
      .execute();
    await db.schema
      .createTable('inbound_message')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('thread_id', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('confirmation', 'text')
      .addPrimaryKeyConstraint('inbound_message_key', ['workspace_id', 'id'])
      .addUniqueConstraint('inbound_message_once', ['workspace_id', 'digest'])
      .execute();
    await db.schema
      .createIndex('inbound_message_thread')
      .on('inbound_message')
      .columns(['workspace_id', 'thread_id', 'created_at'])
      .execute();
    await db.schema.createIndex('inbound_message_time').on('inbound_message').column('created_at').execute();
    await db.schema
      .createIndex('inbound_message_pending')
      .on('inbound_message')
      .column('confirmation')
      .where(sql.ref('confirmation'), '=', sql.lit('pending'))
      .execute();
  },
};

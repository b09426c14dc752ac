import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../dialect.ts';

const subjects = sql`subject in ('operation', 'campaign', 'campaign_news', 'import', 'restored')`;

/** The outbox takes the subject `restored` too. SQLite changes no constraint, so there the table is made again. */
export const restoredNotices: Migration = {
  async up(db: Kysely<unknown>) {
    if (isPostgres(db)) {
      await db.schema.alterTable('outbox').dropConstraint('outbox_subject').execute();
      await db.schema.alterTable('outbox').addCheckConstraint('outbox_subject', subjects).execute();
      return;
    }
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
      .addCheckConstraint('outbox_subject', subjects)
      .execute();
    await sql`insert into outbox select * from outbox_before`.execute(db);
    await db.schema.dropTable('outbox_before').execute();
    await db.schema.createIndex('outbox_due').on('outbox').columns(['attempts', 'next_attempt_at']).execute();
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../dialect.ts';

/** The limits: what counts towards them, what was refused, and the countries of each campaign. */
export const limitTables: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('limit_window')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('points', 'bigint', (column) => column.notNull())
      .addColumn('expires', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('limit_window_pk', ['workspace_id', 'key'])
      .execute();
    await db.schema.createIndex('limit_window_expires').on('limit_window').column('expires').execute();

    await db.schema
      .createTable('limit_code')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('block', 'text')
      .addColumn('verifiable', 'integer', (column) => column.notNull())
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .addColumn('verified_at', 'bigint')
      .addPrimaryKeyConstraint('limit_code_pk', ['workspace_id', 'id'])
      .execute();
    await db.schema
      .createIndex('limit_code_sent')
      .on('limit_code')
      .columns(['workspace_id', 'sent_at'])
      .execute();
    await db.schema
      .createIndex('limit_code_block')
      .on('limit_code')
      .columns(['workspace_id', 'block', 'sent_at'])
      .execute();

    await db.schema
      .createTable('limit_reached')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('reached', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('refusals', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('frees_at', 'bigint')
      .addColumn('lifted_at', 'bigint')
      .addPrimaryKeyConstraint('limit_reached_pk', ['workspace_id', 'subject'])
      .execute();

    await db.schema
      .createTable('limit_reservation')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('campaign_id', 'text', (column) => column.notNull())
      .addColumn('windows', 'text', (column) => column.notNull())
      .addColumn('pages', 'bigint', (column) => column.notNull())
      .addColumn('taken_before', 'bigint', (column) => column.notNull())
      .addColumn('begun', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('limit_reservation_pk', ['workspace_id', 'campaign_id'])
      .execute();

    await db.schema.alterTable('campaign').addColumn('countries', 'text').execute();
    await takeAnySubject(db);
  },
};

/** Which subjects the outbox has is for the program to say. SQLite drops no constraint, so there the table is made again. */
async function takeAnySubject(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await db.schema.alterTable('outbox').dropConstraint('outbox_subject').execute();
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
    .execute();
  await sql`insert into outbox select * from outbox_before`.execute(db);
  await db.schema.dropTable('outbox_before').execute();
  await db.schema.createIndex('outbox_due').on('outbox').columns(['attempts', 'next_attempt_at']).execute();
}

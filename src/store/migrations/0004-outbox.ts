import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What is still to be told moves from the rows it is about into a table of its own, with what is known of each attempt. */
export const outbox: Migration = {
  async up(db: Kysely<unknown>) {
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
        sql`subject in ('operation', 'campaign', 'campaign_news', 'import')`,
      )
      .execute();
    await db.schema.createIndex('outbox_due').on('outbox').columns(['attempts', 'next_attempt_at']).execute();

    // What an earlier version had begun to tell may have been posted.
    await sql`
      insert into outbox (workspace_id, subject, subject_id, user_id, channel_id, channel_error, repeated, next_attempt_at)
      select workspace_id, 'operation', id, actor, place,
        case when told_by is not null and place is not null then 'unconfirmed' end,
        case when told_by is not null and place is null then 1 else 0 end,
        ended_at
      from operation where told_at is null and ended_at is not null`.execute(db);
    await sql`
      insert into outbox (workspace_id, subject, subject_id, user_id, channel_id, channel_error, repeated, next_attempt_at)
      select workspace_id, 'campaign', id, author, place,
        case when told_by is not null and place is not null and message_ts is null then 'unconfirmed' end,
        case when told_by is not null and place is null and message_ts is null then 1 else 0 end,
        moved_at
      from campaign
      where told_at is null and id is not null and state not in ('reading', 'ready', 'discarded')`.execute(
      db,
    );

    await db.schema.dropIndex('operation_open').execute();
    for (const table of ['operation', 'campaign']) {
      await db.schema.alterTable(table).dropColumn('told_by').execute();
      await db.schema.alterTable(table).dropColumn('told_at').execute();
    }
    await db.schema
      .createIndex('operation_underway')
      .on('operation')
      .column('id')
      .where(sql<SqlBool>`state = 'underway'`)
      .execute();
  },
};

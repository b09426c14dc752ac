import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The stops and starts that came in, and when a number that is on the list was put there again. */
export const replyAnswers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('reply_answer')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addColumn('sent_at', 'integer')
      .addColumn('received_at', 'integer', (column) => column.notNull())
      .addColumn('listed', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('reply_answer_key', ['workspace_id', 'digest'])
      .execute();
    await db.schema
      .createIndex('reply_answer_number')
      .on('reply_answer')
      .columns(['workspace_id', 'hash', 'answer', 'sent_at'])
      .execute();
    await db.schema.createIndex('reply_answer_time').on('reply_answer').column('received_at').execute();
    await db.schema.alterTable('suppression').addColumn('listed_again_at', 'integer').execute();
  },
};

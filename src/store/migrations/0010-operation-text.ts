import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../dialect.ts';

/** The encrypted texts of operations, and the indexes for the history's filters. */
export const operationText: Migration = {
  async up(db: Kysely<unknown>) {
    // What an operation is about: of `sms.send` it is `sms`. A query has to spell it like this to use the index.
    const subject = isPostgres(db)
      ? sql`substr(kind, 1, strpos(kind, '.') - 1)`
      : sql`substr(kind, 1, instr(kind, '.') - 1)`;
    await db.schema
      .createTable('operation_text')
      .addColumn('operation_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('operation_text_age').on('operation_text').column('created_at').execute();
    await db.schema
      .createIndex('operation_text_workspace')
      .on('operation_text')
      .column('workspace_id')
      .execute();

    await db.schema
      .createIndex('operation_recent_by_subject')
      .on('operation')
      .columns(['workspace_id'])
      .expression(subject)
      .columns(['created_at', 'id'])
      .execute();
    await db.schema
      .createIndex('operation_recent_in_state')
      .on('operation')
      .columns(['workspace_id', 'state', 'created_at', 'id'])
      .execute();
    await db.schema
      .createIndex('campaign_recent_of_user')
      .on('campaign')
      .columns(['workspace_id', 'created_by', 'sequence'])
      .execute();
  },
};

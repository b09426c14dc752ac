import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../dialect.ts';

const columns: readonly [table: string, from: string, to: string][] = [
  ['operation', 'actor', 'user_id'],
  ['operation', 'place', 'channel_id'],
  ['campaign', 'author', 'created_by'],
  ['campaign', 'place', 'channel_id'],
  ['campaign', 'do_not_contact', 'suppressed'],
  ['campaign', 'steered_by', 'last_action_by'],
  ['campaign', 'moved_at', 'state_changed_at'],
  ['do_not_contact', 'added_by', 'created_by'],
  ['do_not_contact', 'added_at', 'created_at'],
];

/**
 * Renames tables, columns and indexes to the words of the field. No value changes but the name of the user id in
 * `pause`. Constraints keep their names, which SQLite cannot change.
 */
export const fieldNames: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, from, to] of columns) {
      await db.schema.alterTable(table).renameColumn(from, to).execute();
    }
    await db.schema.alterTable('do_not_contact').renameTo('suppression').execute();
    await db.schema.alterTable('campaign_left_out').renameTo('campaign_rejected_row').execute();

    await db.schema.dropIndex('operation_recent_of_actor').execute();
    await db.schema
      .createIndex('operation_recent_of_user')
      .on('operation')
      .columns(['workspace_id', 'user_id', 'created_at', 'id'])
      .execute();
    await db.schema.dropIndex('do_not_contact_latest').execute();
    await db.schema
      .createIndex('suppression_latest')
      .on('suppression')
      .columns(['workspace_id', 'created_at', 'hash'])
      .execute();

    // The program had no PostgreSQL then, so there is nothing to change there.
    if (isPostgres(db)) {
      return;
    }
    await sql`
      update campaign
      set pause = json_set(json_remove(pause, '$.personId'), '$.userId', json_extract(pause, '$.personId'))
      where json_extract(pause, '$.personId') is not null`.execute(db);
  },
};

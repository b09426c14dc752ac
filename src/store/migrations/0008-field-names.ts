import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

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

/** Names of columns and tables that other engineers use too. No value changes but the key of a user in `pause`. */
export const fieldNames: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, from, to] of columns) {
      await db.schema.alterTable(table).renameColumn(from, to).execute();
    }
    await db.schema.alterTable('do_not_contact').renameTo('suppression').execute();
    await db.schema.alterTable('campaign_left_out').renameTo('campaign_rejected_row').execute();
    await sql`
      update campaign
      set pause = json_set(json_remove(pause, '$.personId'), '$.userId', json_extract(pause, '$.personId'))
      where json_extract(pause, '$.personId') is not null`.execute(db);
  },
};

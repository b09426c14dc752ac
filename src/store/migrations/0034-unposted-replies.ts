import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which of the messages that came in Slack took nowhere. */
export const unpostedReplies: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('inbound_message').addColumn('unposted', 'integer').execute();
    await db.schema
      .createIndex('inbound_message_unposted')
      .on('inbound_message')
      .columns(['workspace_id', 'created_at'])
      .where(sql.ref('unposted'), '=', sql.lit(1))
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How many recipients of a rest turned out to be accepted before, and the rests of a campaign to find them in. */
export const acceptedBefore: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('campaign')
      .addColumn('accepted_before', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex('campaign_retry_of')
      .on('campaign')
      .columns(['workspace_id', 'retry_of'])
      .where('retry_of', 'is not', null)
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What is known of messages to find their requests by: the earliest time that was reported of each. */
export const messageResolution: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('delivery').addColumn('first_reported_at', 'bigint').execute();
  },
};

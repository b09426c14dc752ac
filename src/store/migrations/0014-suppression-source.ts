import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How each number came onto the suppression list, encrypted. Unknown for those that are on it already. */
export const suppressionSource: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('suppression').addColumn('source', 'text').execute();
  },
};

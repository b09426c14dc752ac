import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The titles of a list's columns. Campaigns of earlier versions have none, and their recipients no rows of a file. */
export const listColumns: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('campaign').addColumn('columns', 'text').execute();
  },
};

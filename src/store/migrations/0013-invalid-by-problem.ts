import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Campaigns count their invalid rows by problem. */
export const invalidByProblem: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('campaign').addColumn('invalid_by_problem', 'text').execute();
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * When a campaign's balance was named, its first one, and whether it ever rose. A campaign from before has no first one, so
 * no price is learned from it.
 */
export const balances: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('campaign').addColumn('balance_at', 'bigint').execute();
    await db.schema.alterTable('campaign').addColumn('first_balance', 'text').execute();
    await db.schema
      .alterTable('campaign')
      .addColumn('balance_rose', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`
      update campaign set balance_at = coalesce(ended_at, state_changed_at) where balance is not null`.execute(
      db,
    );
  },
};

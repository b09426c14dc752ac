import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What messages cost: which reported costs are counted, what was estimated before, and the sums. */
export const costs: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['country', 'counted_cost'] as const) {
      await db.schema.alterTable('delivery').addColumn(column, 'text').execute();
    }
    for (const column of ['cost_progress', 'cost_at'] as const) {
      await db.schema.alterTable('delivery').addColumn(column, 'bigint').execute();
    }
    await db.schema
      .alterTable('delivery')
      .addColumn('count_after', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    // By what it says rather than by a mark: a version that knows nothing of this writes costs as well.
    await sql`create index delivery_uncounted on delivery (count_after)
      where cost is not null and counted_cost is distinct from cost`.execute(db);
    await db.schema.alterTable('operation').addColumn('countries', 'text').execute();
    await db.schema.alterTable('campaign').addColumn('country_pages', 'text').execute();
    await createSums(db);
  },
};

async function createSums(db: Kysely<unknown>): Promise<void> {
  const subject = ['workspace_id', 'subject', 'subject_id'] as const;
  await db.schema
    .createTable('cost_estimate')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('estimate', 'text', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('cost_estimate_primary', [...subject])
    .execute();
  await db.schema.createIndex('cost_estimate_made').on('cost_estimate').column('made_at').execute();
  await db.schema
    .createTable('message_cost')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('country', 'text', (column) => column.notNull())
    .addColumn('begun_at', 'bigint', (column) => column.notNull())
    .addColumn('amount', 'text', (column) => column.notNull())
    .addColumn('messages', 'bigint', (column) => column.notNull())
    .addColumn('free', 'bigint', (column) => column.notNull())
    .addColumn('pages', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('message_cost_primary', [...subject, 'country'])
    .execute();
  await db.schema.createIndex('message_cost_begun').on('message_cost').column('begun_at').execute();
  await db.schema
    .createTable('month_cost')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('sender_id', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('amount', 'text', (column) => column.notNull())
    .addColumn('messages', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('month_cost_primary', [
      'workspace_id',
      'month',
      'user_id',
      'sender_id',
      'currency',
    ])
    .execute();
}

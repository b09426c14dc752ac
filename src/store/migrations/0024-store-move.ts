import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where the data was moved from, and how far that is: `npm run migrate-store`. */
export const storeMove: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('store_move')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('move', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('source_state', 'text', (column) => column.notNull())
      .addColumn('restored', 'integer', (column) => column.notNull())
      .addColumn('step', 'bigint', (column) => column.notNull())
      .addColumn('tables', 'text', (column) => column.notNull())
      .addColumn('begun_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute();
  },
};

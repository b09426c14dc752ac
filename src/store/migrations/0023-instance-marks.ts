import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How often each instance has marked the data, by which it notices that PostgreSQL was restored. SQLite has files for that. */
export const instanceMarks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('instance_mark')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('ticks', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

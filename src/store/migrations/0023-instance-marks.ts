import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../dialect.ts';

/**
 * What each instance has seen of the data last, by which it notices that PostgreSQL was restored; and how often that
 * happened. SQLite has files for that.
 */
export const instanceMarks: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isPostgres(db)) {
      return;
    }
    await db.schema
      .createTable('instance_mark')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('ticks', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

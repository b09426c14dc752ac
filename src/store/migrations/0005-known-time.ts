import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was known of the time: milliseconds, and a fraction of them by the uptime. */
export const knownTime: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('known_time')
      .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
      .addColumn('wall', 'integer', (column) => column.notNull())
      .addColumn('uptime', 'real', (column) => column.notNull())
      .addColumn('start_from', 'real', (column) => column.notNull())
      .addColumn('delete_from', 'real', (column) => column.notNull())
      .execute();
  },
};

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const installation: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('installation')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('epoch', 'text', (column) => column.notNull())
      .addColumn('writes', 'bigint', (column) => column.notNull())
      .addColumn('mark_file', 'text', (column) => column.notNull())
      .addColumn('database_file', 'text', (column) => column.notNull())
      .addColumn('machine', 'text')
      .addColumn('boot', 'text')
      .addColumn('restored_at', 'bigint')
      .addColumn('notified_at', 'bigint')
      .execute();
  },
};

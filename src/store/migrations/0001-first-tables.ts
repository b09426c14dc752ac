import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The column types mean the same to SQLite and PostgreSQL. */
export const firstTables: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('keyv')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('area', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('expires', 'bigint')
      .addPrimaryKeyConstraint('keyv_primary', ['workspace_id', 'area', 'key'])
      .execute();
    await db.schema
      .createIndex('keyv_expires')
      .on('keyv')
      .column('expires')
      .where('expires', 'is not', null)
      .execute();

    await db.schema
      .createTable('operation')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('place', 'text')
      .addColumn('summary', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('provider_id', 'text')
      .addColumn('pages', 'integer')
      .addColumn('balance', 'text')
      .addColumn('error', 'text')
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('told_by', 'text')
      .addColumn('told_at', 'bigint')
      .addUniqueConstraint('operation_once', ['workspace_id', 'key'])
      .addCheckConstraint(
        'operation_state',
        sql`state in ('underway', 'accepted', 'rejected', 'not_sent', 'unconfirmed')`,
      )
      .addCheckConstraint('operation_ended', sql`(state = 'underway') = (ended_at is null)`)
      .execute();
    await db.schema
      .createIndex('operation_recent')
      .on('operation')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute();
    await db.schema
      .createIndex('operation_recent_of_actor')
      .on('operation')
      .columns(['workspace_id', 'actor', 'created_at', 'id'])
      .execute();
    // Only what is still to be ended or told of is in it, so it stays small however long the history grows.
    await db.schema
      .createIndex('operation_open')
      .on('operation')
      .columns(['ended_at', 'id'])
      .where(sql<SqlBool>`told_at is null`)
      .execute();

    await db.schema
      .createTable('encryption_key')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('canary', 'text', (column) => column.notNull())
      .execute();
  },
};

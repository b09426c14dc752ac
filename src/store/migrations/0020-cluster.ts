import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which runs of the program live, which of them sends a campaign, and how fast a workspace's campaigns may go on. */
export const cluster: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('instance')
      .addColumn('run', 'text', (column) => column.notNull().primaryKey())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('heartbeat_at', 'bigint', (column) => column.notNull())
      .addColumn('stopping', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('version', 'text', (column) => column.notNull())
      .execute();

    await db.schema.alterTable('campaign').addColumn('worker', 'text').execute();
    await db.schema
      .alterTable('campaign')
      .addColumn('lease_epoch', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('campaign').addColumn('lease_until', 'bigint').execute();

    await db.schema
      .createTable('pace')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('rate', 'double precision', (column) => column.notNull())
      .addColumn('tokens', 'double precision', (column) => column.notNull())
      .addColumn('refilled_at', 'double precision', (column) => column.notNull())
      .addColumn('back_off_until', 'double precision', (column) => column.notNull())
      .addColumn('back_offs', 'integer', (column) => column.notNull())
      .execute();
  },
};

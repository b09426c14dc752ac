import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What is to be looked at now or later, where the program keeps that itself; who delivers a notice, until when; and what
 * the message of a campaign shows.
 */
export const jobs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('job')
      .addColumn('topic', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('times', 'integer', (column) => column.notNull().defaultTo(1))
      .addPrimaryKeyConstraint('job_primary', ['topic', 'key', 'due_at'])
      .execute();
    await db.schema.alterTable('outbox').addColumn('lease', 'text').execute();
    await db.schema.alterTable('outbox').addColumn('lease_until', 'bigint').execute();
    await db.schema.alterTable('campaign').addColumn('message_shown', 'text').execute();
  },
};

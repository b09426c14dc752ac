import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../dialect.ts';

export const campaigns: Migration = {
  async up(db: Kysely<unknown>) {
    // SQLite: short rows lie in their primary key's index and nowhere else. Half the size, and half to write.
    const inItsIndex = isPostgres(db) ? sql`` : sql`without rowid`;
    await db.schema
      .createTable('campaign')
      // Never given twice: encrypted values are bound to it.
      .addColumn('sequence', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text')
      .addColumn('author', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('route', 'text', (column) => column.notNull())
      .addColumn('sender_id', 'text', (column) => column.notNull())
      .addColumn('personal', 'integer', (column) => column.notNull())
      .addColumn('text', 'text')
      .addColumn('retry_of', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('recipients', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('duplicates', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('do_not_contact', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('invalid', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('pages', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('fewest_pages', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('most_pages', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('quiet', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('accepted', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('rejected', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('unconfirmed', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('in_flight', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('chunks', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('place', 'text')
      .addColumn('start_at', 'bigint')
      .addColumn('latest_start', 'bigint')
      .addColumn('zone', 'text')
      .addColumn('pause', 'text')
      .addColumn('steered_by', 'text')
      .addColumn('balance', 'text')
      .addColumn('message_channel', 'text')
      .addColumn('message_ts', 'text')
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('moved_at', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('told_by', 'text')
      .addColumn('told_at', 'bigint')
      .addUniqueConstraint('campaign_once', ['workspace_id', 'id'])
      .addCheckConstraint(
        'campaign_state',
        sql`state in ('reading', 'ready', 'scheduled', 'running', 'paused', 'done', 'cancelled', 'missed', 'discarded')`,
      )
      .addCheckConstraint('campaign_discarded', sql`(state = 'discarded') = (id is null)`)
      .addCheckConstraint(
        'campaign_counts',
        sql`in_flight >= 0 and accepted + rejected + unconfirmed + in_flight <= recipients`,
      )
      .execute();
    await db.schema
      .createIndex('campaign_recent')
      .on('campaign')
      .columns(['workspace_id', 'sequence'])
      .execute();

    // What moves while a campaign runs is apart from what is read once: a claim writes bytes, not kilobytes.
    await db.schema
      .createTable('campaign_chunk')
      .addColumn('campaign', 'integer', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('recipients', 'integer', (column) => column.notNull())
      .addColumn('pages', 'integer', (column) => column.notNull())
      .addColumn('run', 'text')
      .addColumn('provider_id', 'text')
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('campaign_chunk_primary', ['campaign', 'number'])
      .addCheckConstraint(
        'campaign_chunk_state',
        sql`state in ('waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed')`,
      )
      .addCheckConstraint('campaign_chunk_claimed', sql`(state = 'claimed') = (run is not null)`)
      .modifyEnd(inItsIndex)
      .execute();
    await db.schema
      .createIndex('campaign_chunk_by_state')
      .on('campaign_chunk')
      .columns(['campaign', 'state', 'number'])
      .execute();

    await db.schema
      .createTable('campaign_chunk_content')
      .addColumn('campaign', 'integer', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('campaign_chunk_content_primary', ['campaign', 'number'])
      .execute();

    await db.schema
      .createTable('campaign_left_out')
      .addColumn('campaign', 'integer', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('campaign_left_out_primary', ['campaign', 'number'])
      .execute();

    // The campaign first: its numbers lie together, whatever else there is. It keeps a number in one chunk only.
    await db.schema
      .createTable('campaign_number')
      .addColumn('campaign', 'integer', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('chunk', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('campaign_number_primary', ['campaign', 'hash'])
      .modifyEnd(inItsIndex)
      .execute();

    await db.schema
      .createTable('operation_number')
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('operation_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('operation_number_primary', ['hash', 'operation_id'])
      .modifyEnd(inItsIndex)
      .execute();
    await db.schema
      .createIndex('operation_number_age')
      .on('operation_number')
      .columns(['created_at', 'operation_id'])
      .execute();

    await db.schema
      .createTable('do_not_contact')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('number', 'text', (column) => column.notNull())
      .addColumn('added_by', 'text', (column) => column.notNull())
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('do_not_contact_primary', ['workspace_id', 'hash'])
      .execute();
    await db.schema
      .createIndex('do_not_contact_latest')
      .on('do_not_contact')
      .columns(['workspace_id', 'added_at', 'hash'])
      .execute();

    await db.schema
      .createTable('number_key')
      .addColumn('workspace_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('key', 'text', (column) => column.notNull())
      .execute();
  },
};

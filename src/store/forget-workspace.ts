import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** The tables with what could still send or decide something, and with few rows of a workspace. */
const smallTables = [
  'approval',
  'balance_alert',
  'keyv',
  'number_key',
  'outbox',
  'workspace_roles',
  'slack_workspace',
  'limit_reached',
  'limit_reservation',
  'pace',
  'report_address',
] as const;

/** The tables that may have very many rows of a workspace, with what tells those apart. */
const largeTables = [
  { table: 'suppression', column: 'hash' },
  { table: 'limit_window', column: 'key' },
  { table: 'delivery', column: 'provider_id' },
  { table: 'delivery_claim', column: 'provider_id' },
  { table: 'message_claim', column: 'provider_id' },
  { table: 'cost_estimate', column: 'subject_id' },
  { table: 'message_cost', column: 'subject_id' },
  { table: 'month_cost', column: 'month' },
  { table: 'inbound_message', column: 'id' },
  { table: 'reply_thread', column: 'id' },
  { table: 'reply_answer', column: 'digest' },
] as const;

/** Rows that are deleted in one statement: other work waits no longer than for those. */
const sliceSize = 200;

/** Deletes what could act for a workspace, all of it or nothing. */
export async function forgetSettings(db: Kysely<Schema>, workspaceId: string): Promise<void> {
  await inTransaction(db, async (transaction) => {
    for (const table of smallTables) {
      await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
    }
  });
}

/** Deletes the history, the lists and the counts of a workspace, in slices. One that is cut off may be called again. */
export async function forgetRecords(db: Kysely<Schema>, workspaceId: string): Promise<void> {
  let deleted: number;
  do {
    deleted = await inTransaction(db, (transaction) => forgetOperations(transaction, workspaceId));
  } while (deleted === sliceSize);
  for (const { table, column } of largeTables) {
    let rows: bigint;
    do {
      const own = db.selectFrom(table).select(column).where('workspace_id', '=', workspaceId);
      const { numDeletedRows } = await db
        .deleteFrom(table)
        .where('workspace_id', '=', workspaceId)
        .where(column, 'in', own.limit(sliceSize))
        .executeTakeFirst();
      rows = numDeletedRows;
    } while (rows >= sliceSize);
  }
}

/** Deletes a slice of the operations with what leads to them. Returns how many. */
async function forgetOperations(transaction: Transaction<Schema>, workspaceId: string): Promise<number> {
  const rows = await transaction
    .selectFrom('operation')
    .select(['id', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .limit(sliceSize)
    .execute();
  if (rows.length === 0) {
    return 0;
  }
  const ids = rows.map(({ id }) => id);
  // By the time as well, which its index begins with.
  await transaction
    .deleteFrom('operation_number')
    .where('created_at', 'in', [...new Set(rows.map(({ created_at }) => created_at))])
    .where('operation_id', 'in', ids)
    .execute();
  await transaction.deleteFrom('operation_text').where('operation_id', 'in', ids).execute();
  await transaction.deleteFrom('operation').where('id', 'in', ids).execute();
  return rows.length;
}

import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { Intent, OperationRow } from './operation.ts';

interface NewOperation {
  id: string;
  run: string;
  created_at: number;
  /** Of its numbers. */
  hashes: readonly string[];
  /** Encrypted, see `writeOperationText`. */
  text: string | undefined;
}

/**
 * Inserts an operation with its text and the hashes of its numbers, or finds the one of the same workspace and
 * key. Which of the two happened shows in the `id` of the row.
 */
export async function beginOperation(
  db: Kysely<Schema>,
  intent: Intent,
  { hashes, text, ...operation }: NewOperation,
): Promise<OperationRow> {
  if (hashes.length === 0 && text === undefined) {
    return insertOrFind(db, intent, operation);
  }
  const { id, created_at } = operation;
  return inOneTransaction(db, async (transaction) => {
    const row = await insertOrFind(transaction, intent, operation);
    if (row.id === id) {
      const numbers = hashes.map((hash) => ({ hash, operation_id: id, created_at }));
      if (numbers.length > 0) {
        await transaction.insertInto('operation_number').values(numbers).execute();
      }
      if (text !== undefined) {
        const { workspaceId: workspace_id } = intent;
        const row = { operation_id: id, workspace_id, value: text, created_at };
        await transaction.insertInto('operation_text').values(row).execute();
      }
    }
    return row;
  });
}

/** Runs `work` in the transaction that `db` is, or in one of its own. */
function inOneTransaction<Result>(
  db: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? work(db) : inTransaction(db, work);
}

/** One statement does both: where the key is known, an update that changes nothing returns its row. */
function insertOrFind(
  db: Kysely<Schema>,
  { workspaceId, key, kind, userId, channelId, summary }: Intent,
  operation: { id: string; run: string; created_at: number },
): Promise<OperationRow> {
  return db
    .insertInto('operation')
    .values({
      ...operation,
      workspace_id: workspaceId,
      key,
      kind,
      user_id: userId,
      channel_id: channelId ?? null,
      summary: JSON.stringify(summary),
      state: 'underway',
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'key']).doUpdateSet({ key: (eb) => eb.ref('excluded.key') }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes an operation that was begun and is not performed. */
export function takeBack(db: Kysely<Schema>, id: string): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('operation')
      .where('id', '=', id)
      .where('state', '=', 'underway')
      .executeTakeFirst();
    // Not where this run was taken for dead: others have ended what it had begun.
    if (numDeletedRows > 0n) {
      await transaction.deleteFrom('operation_number').where('operation_id', '=', id).execute();
      await transaction.deleteFrom('operation_text').where('operation_id', '=', id).execute();
    }
  });
}

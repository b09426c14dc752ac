import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { Operation } from './ledger.ts';
import { messageIdOf } from './operation-row.ts';

/** Stores which message shows the outcome, and has it shown what was reported since that was written. */
export function storePosted(
  db: Kysely<Schema>,
  operation: Operation,
  { channel, ts }: { channel: string; ts: string },
): Promise<void> {
  const { id, workspaceId } = operation;
  const messageId = messageIdOf(operation);
  return inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('operation')
      .set({ message_channel: channel, message_ts: ts })
      .where('id', '=', id)
      .execute();
    if (messageId !== undefined) {
      await transaction
        .updateTable('delivery')
        .set({ pending: 1 })
        .where('workspace_id', '=', workspaceId)
        .where('provider_id', '=', messageId)
        .execute();
    }
  });
}

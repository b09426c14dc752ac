import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { messageIdOf, type Operation, type ShownMessage } from './operation.ts';

/** Stores a message that shows the outcome, and has it show what was reported since that was written. */
export function storePosted(
  db: Kysely<Schema>,
  operation: Operation,
  { channel, ts }: ShownMessage,
  as: 'message' | 'resolvedMessage' = 'message',
): Promise<void> {
  const { id, workspaceId } = operation;
  const messageId = messageIdOf(operation);
  return inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('operation')
      .set(
        as === 'message'
          ? { message_channel: channel, message_ts: ts }
          : { resolved_channel: channel, resolved_ts: ts },
      )
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

import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { Operation } from './ledger.ts';

/** Stores which message shows the outcome, and has it shown what was reported since that was written. */
export function storePosted(
  db: Kysely<Schema>,
  { id, workspaceId, providerId }: Operation,
  { channel, ts }: { channel: string; ts: string },
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('operation')
      .set({ message_channel: channel, message_ts: ts })
      .where('id', '=', id)
      .execute();
    if (providerId !== undefined) {
      await transaction
        .updateTable('delivery')
        .set({ pending: 1 })
        .where('workspace_id', '=', workspaceId)
        .where('provider_id', '=', providerId)
        .execute();
    }
  });
}

import type { StoreContext } from '../context.ts';
import { inTransaction } from '../engine/transaction.ts';
import { updateMessages } from './code-trail.ts';
import { auditEntryOf, type OperationMark, type OperationRow } from './operation.ts';

/** Remembers with an unconfirmed operation what its user found out. */
export function createMarks({ db, audit, clock }: StoreContext) {
  return {
    /**
     * Marks a user's own unconfirmed operation, with an audit entry, and updates its messages. A later report or answer of
     * the provider still decides the outcome.
     */
    async mark(
      { workspaceId, key, userId }: Pick<OperationRow, 'workspaceId' | 'key' | 'userId'>,
      kind: OperationMark['kind'],
    ): Promise<void> {
      const appendAudit = await audit.prepare();
      await inTransaction(db, async (transaction) => {
        const now = clock();
        const row = await transaction
          .updateTable('operation')
          .set({ mark: { kind, at: now.getTime(), by: userId } })
          .where('workspaceId', '=', workspaceId)
          .where('key', '=', key)
          .where('userId', '=', userId)
          .where('state', '=', 'unconfirmed')
          .returningAll()
          .executeTakeFirst();
        if (row !== undefined) {
          const details = { operation: row.id, as: kind };
          await appendAudit(transaction, [
            { ...auditEntryOf(row), action: 'sms.mark', outcome: 'done', details },
          ]);
          await updateMessages(transaction, [row], now);
        }
      });
    },
  };
}

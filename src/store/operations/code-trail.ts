import type { Transaction } from 'kysely';
import type { StoreContext } from '../context.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';
import { auditEntryOf, noticeOf, type Operation, type OperationRow } from './operation.ts';

/** What came of reading a code back. `expired`: the provider says so. */
export type CodeAttempt = 'verified' | 'wrong' | 'used_up' | 'expired';

/** Remembers with operations what became of the one-time code that they sent. */
export function createCodeTrail({ db, audit, clock, restoredAt }: StoreContext) {
  return {
    /**
     * Makes an attempt to verify a code and records it with the operations that sent the code, in one transaction: a wrong
     * guess, or how the code ended, with an audit entry of the first. Has the messages that sent the code say so.
     *
     * @param attempt may be called again, so it does nothing outside the transaction
     */
    async attemptCode<Result>(
      { workspaceId, userId }: Pick<OperationRow, 'workspaceId' | 'userId'>,
      attempt: (
        transaction: Transaction<Schema>,
      ) => Promise<{ result: Result; attempted?: CodeAttempt | undefined; keys: readonly string[] }>,
    ): Promise<Result> {
      const appendAudit = await audit.prepare();
      return inTransaction(db, async (transaction) => {
        const { result, attempted, keys } = await attempt(transaction);
        if (attempted === undefined) {
          return result;
        }
        const now = clock();
        const isGuess = attempted === 'wrong' || attempted === 'used_up';
        const codeOutcome =
          attempted === 'wrong' ? undefined : { kind: attempted, at: now.getTime(), by: userId };
        const rows = await transaction
          .updateTable('operation')
          .set((eb) => ({
            ...(isGuess && { wrongGuesses: eb(eb.fn.coalesce('wrongGuesses', eb.lit(0)), '+', 1) }),
            ...(codeOutcome && { codeOutcome }),
          }))
          .where('workspaceId', '=', workspaceId)
          .where('key', 'in', keys)
          .returningAll()
          .execute();
        const row = rows.find(({ key }) => key === keys[0]) ?? rows[0];
        if (row === undefined || codeOutcome === undefined) {
          return result;
        }
        await updateMessages(transaction, rows, now);
        if (attempted !== 'expired') {
          const outcome = attempted === 'verified' ? 'done' : 'rejected';
          const details = { operation: row.id, wrongGuesses: row.wrongGuesses ?? 0 };
          const entry = { ...auditEntryOf(row), userId, action: 'otp.verify', outcome, details } as const;
          await appendAudit(transaction, [entry]);
        }
        return result;
      });
    },

    /** Ends the codes that expired without being verified, and has their messages say so. Returns how many. */
    expireCodes: (): Promise<number> =>
      inTransaction(db, async (transaction) => {
        const now = clock();
        const expire = (kind: 'expired' | 'unknown') =>
          transaction
            .updateTable('operation')
            .set({ codeOutcome: { kind, at: now.getTime() } })
            .where('expiresAt', '<=', now)
            .where('codeOutcome', 'is', null)
            .where('state', '<>', 'underway')
            .returningAll();
        // See `mayHaveForgotten`.
        if (restoredAt !== undefined) {
          await expire('unknown').where('createdAt', '<', restoredAt).execute();
        }
        const expired = await expire('expired').execute();
        await updateMessages(transaction, expired, now);
        return expired.length;
      }),
  };
}

/**
 * Whether an operation sent a code that may have been verified, though restored data doesn't know it. A message that says
 * *Verified* stays as it is.
 */
export function mayHaveForgotten(
  { expiresAt, codeOutcome, createdAt }: Pick<Operation, 'expiresAt' | 'codeOutcome' | 'createdAt'>,
  restoredAt: Date | undefined,
): boolean {
  const isKnown = codeOutcome !== undefined && codeOutcome.kind !== 'unknown';
  return expiresAt !== undefined && !isKnown && restoredAt !== undefined && createdAt < restoredAt;
}

/** Has the messages that show these operations rendered again. */
export async function updateMessages(
  transaction: Transaction<Schema>,
  rows: readonly OperationRow[],
  dueAt: Date,
): Promise<void> {
  const shown = rows.filter(({ messageTs, resolvedTs }) => (messageTs ?? resolvedTs) !== undefined);
  const notices = shown.map((row) => ({ ...noticeOf(row), subject: 'delivery' as const }));
  await addNotices(transaction, notices, dueAt, { renew: true });
}

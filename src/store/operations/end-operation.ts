import type { Kysely } from 'kysely';
import type { AppendAudit } from '../audit/audit-trail.ts';
import { isOfDead } from '../instances/instances.ts';
import { addNotices, doubtful } from '../outbox/notices.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { auditEntryOf } from './audit-entry.ts';
import { type Ending, noticeOf, type OperationRow, stoppedMidway, writeOperationError } from './operation.ts';

/** In milliseconds: how long the request that caused an outcome has to show it before the outbox delivers it. */
const requestHeadStart = 30_000;

export type EndedColumns = Pick<
  OperationRow,
  'state' | 'provider_id' | 'receipt_id' | 'pages' | 'balance' | 'error' | 'ended_at'
> & { ended_at: number };

export function endedColumns(ending: Ending, endedAt: number): EndedColumns {
  return {
    state: ending.state,
    provider_id: ending.providerId ?? null,
    receipt_id: ending.receiptId ?? null,
    pages: ending.pages ?? null,
    balance: ending.balance ?? null,
    error: writeOperationError(ending.error),
    ended_at: endedAt,
  };
}

/**
 * Ends an operation that is under way, puts a notice of it into the outbox and an entry into the audit, in one
 * transaction. One that another instance has ended, as this one was dead to it, stays as it was told.
 */
export function endOperation(
  db: Kysely<Schema>,
  { id, ended, appendAudit }: { id: string; ended: EndedColumns; appendAudit: AppendAudit },
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const rows = await transaction
      .updateTable('operation')
      .set(ended)
      .where('id', '=', id)
      // A write that was retried may have been made the first time.
      .where('state', '=', 'underway')
      .returningAll()
      .execute();
    await addNotices(transaction, rows.map(noticeOf), ended.ended_at + requestHeadStart);
    await appendAudit(transaction, rows.map(auditEntryOf));
  });
}

/** Whether dead runs of the program left something in progress. */
export async function hasInterrupted(db: Kysely<Schema>): Promise<boolean> {
  const row = await db
    .selectFrom('operation')
    .select('id')
    .where('state', '=', 'underway')
    .where(isOfDead('run'))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends what dead runs of the program left in progress as `unconfirmed`, as `endOperation` does. Returns how many there were. */
export function endInterrupted(
  db: Kysely<Schema>,
  { restoredAt, at, appendAudit }: { restoredAt: Date | undefined; at: Date; appendAudit: AppendAudit },
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const interrupted = await transaction
      .updateTable('operation')
      .set(endedColumns({ state: 'unconfirmed', error: stoppedMidway }, at.getTime()))
      .where('state', '=', 'underway')
      .where(isOfDead('run'))
      .returningAll()
      .execute();
    const notices = interrupted.map((row) => ({
      ...noticeOf(row),
      ...doubtful(row.created_at, restoredAt),
    }));
    await addNotices(transaction, notices, at.getTime());
    await appendAudit(transaction, interrupted.map(auditEntryOf));
    return interrupted.length;
  });
}

import type { Kysely } from 'kysely';
import { doubtful } from '../outbox/doubt-notices.ts';
import { addNotices } from '../outbox/notice-rows.ts';
import type { Schema } from '../schema.ts';
import type { Ending } from './ledger.ts';
import { stoppedMidway, writeOperationError } from './operation-error.ts';
import { noticeColumns, noticeOf, type OperationRow } from './operation-row.ts';

/** In milliseconds: how long the request that caused an outcome has to show it before the outbox delivers it. */
const requestHeadStart = 30_000;

export type EndedColumns = Pick<
  OperationRow,
  'state' | 'provider_id' | 'pages' | 'balance' | 'error' | 'ended_at'
> & { ended_at: number };

export function endedColumns(ending: Ending, endedAt: number): EndedColumns {
  return {
    state: ending.state,
    provider_id: ending.providerId ?? null,
    pages: ending.pages ?? null,
    balance: ending.balance ?? null,
    error: writeOperationError(ending.error),
    ended_at: endedAt,
  };
}

/** Ends an operation and puts a notice of it into the outbox, in one transaction. */
export function endOperation(db: Kysely<Schema>, id: string, ended: EndedColumns): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .updateTable('operation')
      .set(ended)
      .where('id', '=', id)
      .returning(noticeColumns)
      .execute();
    await addNotices(transaction, rows.map(noticeOf), ended.ended_at + requestHeadStart);
  });
}

/** Ends what earlier runs of the program left in progress as `unconfirmed`, with notices. Returns how many there were. */
export function endInterrupted(
  db: Kysely<Schema>,
  { run, restoredAt, at }: { run: string; restoredAt: Date | undefined; at: Date },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const interrupted = await transaction
      .updateTable('operation')
      .set(endedColumns({ state: 'unconfirmed', error: stoppedMidway }, at.getTime()))
      .where('state', '=', 'underway')
      .where('run', '<>', run)
      .returning([...noticeColumns, 'created_at'])
      .execute();
    const notices = interrupted.map((row) => ({
      ...noticeOf(row),
      ...doubtful(row.created_at, restoredAt),
    }));
    await addNotices(transaction, notices, at.getTime());
    return interrupted.length;
  });
}

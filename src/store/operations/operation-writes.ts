import type { Kysely } from 'kysely';
import { z } from 'zod';
import { maskPersonal } from '../../lib/redact.ts';
import type { AppendAudit, NewAuditEntry } from '../audit/audit-trail.ts';
import { isOfDead } from '../engine/instances/instances.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices, doubtful } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';
import { type Ending, type Intent, noticeOf, type OperationRow, stoppedMidway } from './operation.ts';

/** In milliseconds: how long the request that caused an outcome has to show it before the outbox delivers it. */
const requestHeadStart = 30_000;

interface NewOperation {
  id: string;
  run: string;
  createdAt: Date;
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
  const { id: operationId, createdAt } = operation;
  return inOneTransaction(db, async (transaction) => {
    const row = await insertOrFind(transaction, intent, operation);
    if (row.id === operationId) {
      const numbers = hashes.map((hash) => ({ hash, operationId, createdAt }));
      if (numbers.length > 0) {
        await transaction.insertInto('operationNumber').values(numbers).execute();
      }
      if (text !== undefined) {
        const { workspaceId } = intent;
        const values = { operationId, workspaceId, value: text, createdAt };
        await transaction.insertInto('operationText').values(values).execute();
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
  operation: Pick<NewOperation, 'id' | 'run' | 'createdAt'>,
): Promise<OperationRow> {
  return db
    .insertInto('operation')
    .values({ ...operation, workspaceId, key, kind, userId, channelId, summary, state: 'underway' })
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'key']).doUpdateSet({ key: (eb) => eb.ref('excluded.key') }),
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
      await transaction.deleteFrom('operationNumber').where('operationId', '=', id).execute();
      await transaction.deleteFrom('operationText').where('operationId', '=', id).execute();
    }
  });
}

export type EndedColumns = Pick<
  OperationRow,
  'state' | 'providerId' | 'receiptId' | 'pages' | 'balance' | 'error'
> & { endedAt: Date };

/** Returns what an ending changes of an operation under way, which has none of it. */
export function endedColumns(ending: Ending, endedAt: Date): EndedColumns {
  const { state, providerId, receiptId, pages, balance, error } = ending;
  return { state, providerId, receiptId, pages, balance, error, endedAt };
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
    const dueAt = new Date(ended.endedAt.getTime() + requestHeadStart);
    await addNotices(transaction, rows.map(noticeOf), dueAt);
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
      .set(endedColumns({ state: 'unconfirmed', error: stoppedMidway }, at))
      .where('state', '=', 'underway')
      .where(isOfDead('run'))
      .returningAll()
      .execute();
    const notices = interrupted.map((row) => ({ ...noticeOf(row), ...doubtful(row.createdAt, restoredAt) }));
    await addNotices(transaction, notices, at);
    await appendAudit(transaction, interrupted.map(auditEntryOf));
    return interrupted.length;
  });
}

/** What a summary may call the one that an operation is about. */
const subjectSchema = z.object({
  to: z.union([z.string(), z.array(z.string())]).optional(),
  number: z.string().optional(),
  iccid: z.string().optional(),
  senderId: z.string().optional(),
});

/** Returns the entry of an operation that has ended. Its summary is masked already. */
export function auditEntryOf(row: OperationRow): NewAuditEntry {
  return {
    workspaceId: row.workspaceId,
    userId: row.userId,
    action: row.kind,
    subject: subjectOf(row.summary),
    outcome: row.state === 'underway' ? 'unconfirmed' : row.state,
    details: {
      ...withMaskedNames(row.summary),
      operation: row.id,
      ...(row.channelId !== undefined && { channel: row.channelId }),
      ...(row.pages !== undefined && { pages: row.pages }),
      ...(row.error !== undefined && { reason: row.error.reason }),
    },
  };
}

/** What people call a campaign or a phonebook may hold a number, which would stay here after it is erased elsewhere. */
function withMaskedNames(summary: OperationRow['summary']): OperationRow['summary'] {
  const names = ['campaign', 'phonebook'].filter((name) => typeof summary[name] === 'string');
  return {
    ...summary,
    ...Object.fromEntries(names.map((name) => [name, maskPersonal(String(summary[name]))])),
  };
}

function subjectOf(summary: OperationRow['summary']): string | undefined {
  const { to, number, iccid, senderId } = subjectSchema.safeParse(summary).data ?? {};
  const [first, ...others] = Array.isArray(to) ? to : [to ?? number ?? iccid ?? senderId];
  return others.length > 0 ? `${first} …` : first;
}

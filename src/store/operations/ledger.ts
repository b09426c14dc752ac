import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { toRecord } from '../../domain/access/private-values.ts';
import type { AppendAudit } from '../audit/audit-trail.ts';
import type { StoreContext } from '../context.ts';
import { StoreError } from '../engine/errors.ts';
import { isOfDead } from '../engine/instances/instances.ts';
import { inTransaction, orRollBack } from '../engine/transaction.ts';
import { addNotices, deliveryStateAfterRestore } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';
import {
  type Charge,
  type Consumed,
  consume,
  giveBackPoints,
  type Taken,
} from '../workspaces/limits/windows.ts';
import { createCodeTrail } from './code-trail.ts';
import { createMarks } from './marks.ts';
import {
  auditEntryOf,
  type Ending,
  type Intent,
  noticeOf,
  notRecorded,
  type Operation,
  stoppedMidway,
  toOperation,
  writeOperationText,
} from './operation.ts';
import { createOperationHistory, findOperation, patienceMs } from './operation-history.ts';
import { addResolvedNotices } from './resolved-notices.ts';

/**
 * In milliseconds. Gives the request that caused an outcome time to show it before the outbox delivers it.
 */
const requestHeadStart = 30_000;

/** What an operation charges to a limit. */
export interface OperationCharge extends Charge {
  /** Whether it counts attempts. Then it isn't refunded if the provider refuses. */
  isAttempt: boolean;
}

/** A stored operation that the caller has to perform and then end, or take back. */
export interface Begun {
  kind: 'begun';
  operation: Operation;
  taken: readonly Taken<OperationCharge>[];
  appendAudit: AppendAudit;
}

type Beginning<Charged extends OperationCharge> =
  | (Begun & { taken: readonly Taken<Charged>[] })
  /** The key already exists. Show its operation, now or once it has ended (see `waitForEnding`). */
  | { kind: 'known'; operation: Operation }
  /** The key doesn't exist, and the charges didn't fit. Nothing was stored. */
  | Extract<Consumed<Charged>, { kind: 'full' }>;

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The history, which also prevents duplicates: each operation is stored before the provider is called, and
 * ended afterwards. `Operations.spend` shows the whole sequence.
 */
export function createLedger(context: StoreContext) {
  const { db, clock, retryWrite } = context;
  let count = 0;

  return {
    /**
     * Stores the intent and takes its charges in one transaction. Only one of several callers with the same
     * key begins it.
     *
     * @throws StoreError `outdated` for a key from before a restore, `data_gone` if the data was removed
     */
    begin<Charged extends OperationCharge>(intent: Intent, charges: readonly Charged[]) {
      // Ids start with a count, to keep the order of operations from the same millisecond.
      count += 1;
      const id = `${count.toString(16).padStart(8, '0')}-${randomUUID()}`;
      return begin(context, id, intent, charges);
    },

    /**
     * Deletes an operation that began but wasn't performed, and refunds its charges. Throws if that fails, and
     * retries in the background. After a minute, somebody who asked for it again may have been told that the
     * outcome follows: then it ends as not sent.
     */
    takeBack: ({ operation, taken, appendAudit }: Begun): Promise<void> =>
      retryWrite(() => {
        const { id, workspaceId, createdAt } = operation;
        const endedAt = clock();
        if (endedAt.getTime() - createdAt.getTime() >= patienceMs) {
          const ended = { state: 'not_sent' as const, error: notRecorded, endedAt };
          return writeEnding(context, operation, { ended, taken, appendAudit });
        }
        return inTransaction(db, async (transaction) => {
          const { numDeletedRows } = await transaction
            .deleteFrom('operation')
            .where('id', '=', id)
            .where('state', '=', 'underway')
            .executeTakeFirst();
          // If this run was considered dead, another instance has already ended its operations.
          if (numDeletedRows > 0n) {
            await transaction.deleteFrom('operationNumber').where('operationId', '=', id).execute();
            await transaction.deleteFrom('operationText').where('operationId', '=', id).execute();
            await giveBackPoints(transaction, workspaceId, taken);
          }
        });
      }),

    /** Ends an operation. Throws if storing fails, and retries in the background. */
    async end({ operation, taken, appendAudit }: Begun, ending: Ending): Promise<Operation> {
      const { state, providerId, receiptId, pages, balance, error } = ending;
      // A code that was not sent can't expire.
      const expiresAt = state === 'accepted' || state === 'unconfirmed' ? operation.expiresAt : undefined;
      const ended = { state, providerId, receiptId, pages, balance, error, expiresAt, endedAt: clock() };
      try {
        await retryWrite(() => writeEnding(context, operation, { ended, taken, appendAudit }));
      } catch (error) {
        // If the data is gone, nothing can be stored, but the caller still gets the outcome.
        if (!(error instanceof StoreError) || error.fault !== 'data_gone') {
          throw error;
        }
      }
      return { ...operation, ...ended };
    },

    /**
     * Ends operations that a dead run left `underway` as `unconfirmed`, and returns how many. Never touches a live run, so
     * several instances can call it at any time.
     */
    recover: (at: Date) => recover(context, at),

    ...createOperationHistory(context),
    ...createCodeTrail(context),
    ...createMarks(context),
  };
}

const summarySchema = z.record(z.string(), z.json());

async function begin<Charged extends OperationCharge>(
  context: StoreContext,
  id: string,
  intent: Intent,
  charges: readonly Charged[],
): Promise<Beginning<Charged>> {
  const { db, audit, clock, encryption, instances, phoneHashes, refuseOutdated, retryWrite } = context;
  const { workspaceId, key, kind, userId, channelId, summary, numbers = [], text, expiresAt } = intent;
  const known = await findOperation(db, workspaceId, { key });
  if (known !== undefined) {
    return { kind: 'known', operation: known };
  }
  refuseOutdated(key);
  // Don't begin what couldn't be recorded afterwards.
  const appendAudit = await audit.prepare();
  const createdAt = clock();
  const hashes = numbers.length === 0 ? [] : await phoneHashes.of(workspaceId, [...new Set(numbers)]);
  const run = instances.run();
  const about = {
    workspaceId,
    key,
    kind,
    userId,
    channelId,
    summary: summarySchema.parse(toRecord(summary)),
    expiresAt,
  };
  const row = { id, run, createdAt, ...about };
  let taken: readonly Taken<Charged>[] = [];
  try {
    return await orRollBack<Schema, Beginning<Charged>>(
      db,
      async (transaction) => {
        // One statement for both cases: if the key exists, an update without changes returns its row.
        const stored = await transaction
          .insertInto('operation')
          .values({ ...row, state: 'underway' })
          .onConflict((conflict) =>
            conflict.columns(['workspaceId', 'key']).doUpdateSet({ key: (eb) => eb.ref('excluded.key') }),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        const operation = toOperation(stored);
        if (stored.id !== id) {
          return { kind: 'known', operation };
        }
        if (hashes.length > 0) {
          const values = hashes.map((hash) => ({ hash, operationId: id, createdAt }));
          await transaction.insertInto('operationNumber').values(values).execute();
        }
        if (text !== undefined) {
          const ids = { workspaceId, operationId: id };
          const value = writeOperationText({ text, to: numbers }, ids, encryption);
          await transaction
            .insertInto('operationText')
            .values({ ...ids, value, createdAt })
            .execute();
        }
        // Last, because the windows block all other operations of the workspace.
        const consumed = await consume(transaction, workspaceId, charges, clock());
        if (consumed.kind === 'full') {
          return consumed;
        }
        taken = consumed.charges;
        return { kind: 'begun', operation, taken, appendAudit };
      },
      ({ kind }) => kind === 'begun',
    );
  } catch (error) {
    // If the connection was lost, the row may have been stored anyway. Nothing was sent or will be.
    if (error instanceof StoreError && error.fault === 'unreachable') {
      const ended = { state: 'not_sent' as const, error: notRecorded, endedAt: clock() };
      // Retried in the background.
      await retryWrite(() => writeEnding(context, row, { ended, taken, appendAudit })).catch(() => {});
    }
    throw error;
  }
}

/**
 * Ends an operation and refunds unused charges, with its notice and audit entry, in one transaction. If
 * another instance called it unconfirmed because this one seemed dead, its user is told how it really ended.
 */
function writeEnding(
  { db, databaseNow }: StoreContext,
  { id, workspaceId }: Pick<Operation, 'id' | 'workspaceId'>,
  {
    ended,
    taken,
    appendAudit,
  }: Pick<Begun, 'taken' | 'appendAudit'> & {
    ended: Ending & Pick<Operation, 'expiresAt'> & { endedAt: Date };
  },
): Promise<void> {
  const isRefused = ended.state === 'rejected';
  const dueAt = new Date(ended.endedAt.getTime() + requestHeadStart);
  return inTransaction(db, async (transaction) => {
    const store = (from: Operation['state']) =>
      transaction
        .updateTable('operation')
        .set({ ...ended, error: ended.error ?? null, expiresAt: ended.expiresAt ?? null })
        .where('id', '=', id)
        .where('state', '=', from)
        .returningAll()
        .executeTakeFirst();
    const first = await store('underway');
    const row = first ?? (ended.state === 'unconfirmed' ? undefined : await store('unconfirmed'));
    // A retried write may already have succeeded.
    if (row === undefined) {
      return;
    }
    if (isRefused || ended.state === 'not_sent') {
      const unused = taken.filter(({ isAttempt }) => !(isRefused && isAttempt));
      await giveBackPoints(transaction, workspaceId, unused);
    }
    if (first === undefined) {
      await addResolvedNotices(transaction, row, { databaseNow, dueAt });
    } else {
      await addNotices(transaction, [noticeOf(row)], dueAt);
    }
    await appendAudit(transaction, [auditEntryOf(row)]);
  });
}

async function recover({ db, audit, restoredAt }: StoreContext, at: Date): Promise<number> {
  const left = await db
    .selectFrom('operation')
    .select('id')
    .where('state', '=', 'underway')
    .where(isOfDead('run'))
    .limit(1)
    .executeTakeFirst();
  if (left === undefined) {
    return 0;
  }
  const appendAudit = await audit.prepare();
  return inTransaction(db, async (transaction) => {
    const interrupted = await transaction
      .updateTable('operation')
      .set({ state: 'unconfirmed', error: stoppedMidway, endedAt: at })
      .where('state', '=', 'underway')
      .where(isOfDead('run'))
      .returningAll()
      .execute();
    const notices = interrupted.map((row) => ({
      ...noticeOf(row),
      ...deliveryStateAfterRestore(row.createdAt, restoredAt),
    }));
    await addNotices(transaction, notices, at);
    await appendAudit(transaction, interrupted.map(auditEntryOf));
    return interrupted.length;
  });
}

import { randomUUID } from 'node:crypto';
import type { AppendAudit } from '../audit/audit-trail.ts';
import type { StoreContext } from '../context.ts';
import { StoreError } from '../engine/errors.ts';
import { isOfDead } from '../engine/instances/instances.ts';
import { inTransaction, orRollBack } from '../engine/transaction.ts';
import { addNotices, doubtful } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';
import {
  type Charge,
  type Consumed,
  consume,
  giveBackPoints,
  type Taken,
} from '../workspaces/limits/windows.ts';
import { createCodeTrail } from './code-trail.ts';
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
import { createOperationHistory, findOperation } from './operation-history.ts';

/** In milliseconds: how long the request that caused an outcome has to show it before the outbox delivers it. */
const requestHeadStart = 30_000;

/** What an operation takes of a limit. */
export interface OperationCharge extends Charge {
  /** Whether it counts attempts: then it stays where the provider refused. */
  isAttempt: boolean;
}

/** An operation that is to be performed by whoever has it, and then ended, or else taken back. */
export interface Begun {
  kind: 'begun';
  operation: Operation;
  taken: readonly Taken<OperationCharge>[];
  appendAudit: AppendAudit;
}

type Beginning<Charged extends OperationCharge> =
  | (Begun & { taken: readonly Taken<Charged>[] })
  /** The key is known: to be shown, as it is or once it has ended (see `settled`). */
  | { kind: 'known'; operation: Operation }
  /** The key is not known, and charges did not fit. Nothing was stored. */
  | Extract<Consumed<Charged>, { kind: 'full' }>;

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The guard against doubles, and the history: each operation is stored before the provider is called, and ended afterwards.
 * How they follow each other, `Operations.spend` has on one page.
 */
export function createLedger(context: StoreContext) {
  const { db, clock, retryWrite } = context;
  let count = 0;

  return {
    /**
     * Stores the intent durably and takes what it is charged, in one transaction, or neither: of any number of callers with one
     * key, one begins it.
     *
     * @throws StoreError `outdated` for a key from before the data was restored, `data_gone` where the data was taken away
     */
    begin<Charged extends OperationCharge>(intent: Intent, charges: readonly Charged[]) {
      // Ids begin with a count, so that the history keeps the order of what began in the same millisecond.
      count += 1;
      const id = `${count.toString(16).padStart(8, '0')}-${randomUUID()}`;
      return begin(context, id, intent, charges);
    },

    /** Deletes what has begun and is not performed, and gives back what it took. */
    takeBack: ({ operation: { id, workspaceId }, taken }: Begun): Promise<void> =>
      retryWrite(() =>
        inTransaction(db, async (transaction) => {
          const { numDeletedRows } = await transaction
            .deleteFrom('operation')
            .where('id', '=', id)
            .where('state', '=', 'underway')
            .executeTakeFirst();
          // Not where this run was taken for dead: others have ended what it had begun.
          if (numDeletedRows > 0n) {
            await transaction.deleteFrom('operationNumber').where('operationId', '=', id).execute();
            await transaction.deleteFrom('operationText').where('operationId', '=', id).execute();
            await giveBackPoints(transaction, workspaceId, taken);
          }
        }),
      ),

    /** Ends what has begun. An error in storing that is thrown, and the write retried in the background. */
    async end({ operation, taken, appendAudit }: Begun, ending: Ending): Promise<Operation> {
      const { state, providerId, receiptId, pages, balance, error } = ending;
      // A code that was not sent can't expire.
      const expiresAt = state === 'accepted' || state === 'unconfirmed' ? operation.expiresAt : undefined;
      const ended = { state, providerId, receiptId, pages, balance, error, expiresAt, endedAt: clock() };
      try {
        await storeEnding(context, operation, { ended, taken, appendAudit });
      } catch (error) {
        // With the data gone nothing can be stored any more: the caller gets the outcome at least.
        if (!(error instanceof StoreError) || error.fault !== 'data_gone') {
          throw error;
        }
      }
      return { ...operation, ...ended };
    },

    /**
     * Ends what a dead run of the program left `underway` as `unconfirmed`, as `end` does, and returns how many operations
     * those were. Never touches those of a run that lives, so it may be called at any time, by several instances at once.
     */
    recover: (at: Date) => recover(context, at),

    ...createOperationHistory(context),
    ...createCodeTrail(context),
  };
}

async function begin<Charged extends OperationCharge>(
  context: StoreContext,
  id: string,
  intent: Intent,
  charges: readonly Charged[],
): Promise<Beginning<Charged>> {
  const { db, audit, clock, encryption, instances, phoneHashes, refuseOutdated } = context;
  const { workspaceId, key, kind, userId, channelId, summary, numbers = [], text, expiresAt } = intent;
  const known = await findOperation(db, workspaceId, { key });
  if (known !== undefined) {
    return { kind: 'known', operation: known };
  }
  refuseOutdated(key);
  // What could not be recorded afterwards is not begun.
  const appendAudit = await audit.prepare();
  const createdAt = clock();
  const hashes = numbers.length === 0 ? [] : await phoneHashes.of(workspaceId, [...new Set(numbers)]);
  const run = instances.run();
  const row = { id, run, createdAt, workspaceId, key, kind, userId, channelId, summary, expiresAt };
  let taken: readonly Taken<Charged>[] = [];
  try {
    return await orRollBack<Schema, Beginning<Charged>>(
      db,
      async (transaction) => {
        // One statement does both: where the key is known, an update that changes nothing returns its row.
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
        // Last: all operations of a workspace wait for its windows.
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
    // Where the database was lost meanwhile, it may have stored it all the same. Nothing was sent, and nothing will be.
    if (error instanceof StoreError && error.fault === 'unreachable') {
      const ended = { state: 'not_sent' as const, error: notRecorded, endedAt: clock() };
      await storeEnding(context, row, { ended, taken, appendAudit }).catch(() => {});
    }
    throw error;
  }
}

/**
 * Ends an operation that is under way, gives back what it did not use, and puts a notice of it into the outbox and an entry
 * into the audit, in one transaction. One that another instance has ended, as this one was dead to it, stays as it was told.
 */
const storeEnding = (
  { db, retryWrite }: StoreContext,
  { id, workspaceId }: Pick<Operation, 'id' | 'workspaceId'>,
  {
    ended,
    taken,
    appendAudit,
  }: Pick<Begun, 'taken' | 'appendAudit'> & {
    ended: Ending & Pick<Operation, 'expiresAt'> & { endedAt: Date };
  },
) =>
  retryWrite(() =>
    inTransaction(db, async (transaction) => {
      const rows = await transaction
        .updateTable('operation')
        .set({ ...ended, expiresAt: ended.expiresAt ?? null })
        .where('id', '=', id)
        // A write that was retried may have been made the first time.
        .where('state', '=', 'underway')
        .returningAll()
        .execute();
      const isRefused = ended.state === 'rejected';
      if (rows.length > 0 && (isRefused || ended.state === 'not_sent')) {
        const unused = taken.filter(({ isAttempt }) => !(isRefused && isAttempt));
        await giveBackPoints(transaction, workspaceId, unused);
      }
      const dueAt = new Date(ended.endedAt.getTime() + requestHeadStart);
      await addNotices(transaction, rows.map(noticeOf), dueAt);
      await appendAudit(transaction, rows.map(auditEntryOf));
    }),
  );

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
      ...doubtful(row.createdAt, restoredAt),
    }));
    await addNotices(transaction, notices, at);
    await appendAudit(transaction, interrupted.map(auditEntryOf));
    return interrupted.length;
  });
}

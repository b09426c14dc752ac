import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { AppendAudit } from '../audit/audit-trail.ts';
import type { StoreContext } from '../context.ts';
import { StoreError } from '../engine/errors.ts';
import type { Schema } from '../schema/schema.ts';
import {
  type Ending,
  failedMidway,
  type Intent,
  notRecorded,
  type Operation,
  type OperationRow,
  toOperation,
  writeOperationText,
} from './operation.ts';
import { createOperationHistory } from './operation-history.ts';
import {
  beginOperation,
  endedColumns,
  endInterrupted,
  endOperation,
  hasInterrupted,
  takeBack,
} from './operation-writes.ts';

/** `first`: whether this call performed it. */
export interface Performed {
  operation: Operation;
  first: boolean;
}

/** Stores the intent in a transaction, or finds the one of its key. */
export type BeginIntent = (transaction: Transaction<Schema>) => Promise<{ first: boolean }>;

interface Begun {
  row: OperationRow;
  first: boolean;
}

/** What begins an operation under a new id, in a transaction or without, and what records its end. */
interface Prepared {
  id: string;
  begin(db: Kysely<Schema>): Promise<Begun>;
  appendAudit: AppendAudit;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The guard against doubles, and the history. An operation that ends gets a notice in the outbox and an entry in the audit.
 */
export function createLedger(context: StoreContext) {
  const { db, audit, restoredAt } = context;
  const nextId = createIdSequence();

  return {
    /**
     * Stores the intent durably, then calls `call` and stores its ending. Where the key is known already, calls nothing
     * and returns what is known (`first: false`; `underway` while the first caller still waits): of any number of callers
     * with one key, one calls. An error of `call` is stored as `unconfirmed` and thrown on. An error in storing the ending
     * is thrown, and the write retried in the background.
     *
     * @throws StoreError `outdated` for a key from before the data was restored, `data_gone` where the data was taken away;
     * nothing was called
     */
    async perform(intent: Intent, call: () => Promise<Ending>): Promise<Performed> {
      const prepared = await prepare(context, intent, nextId);
      const begun = await endIfUnreachable(context, prepared, () => prepared.begin(db));
      return callFirst(context, begun, { call, appendAudit: prepared.appendAudit });
    },

    /**
     * The same for what has a condition: `admit` calls `begin` in a transaction of its own, which stores the intent, and
     * commits it only where `begin` was first. Resolves with what it returns, where that is a refusal; nothing is stored
     * and nothing called then.
     *
     * @param isWithdrawn asked once the intent is stored: where it is so, the intent is taken back, and nothing is called
     */
    async performIf<Refusal>(
      intent: Intent,
      call: () => Promise<Ending>,
      admit: (begin: BeginIntent) => Promise<Refusal | undefined>,
      isWithdrawn: () => Promise<boolean>,
    ): Promise<Performed | { refusal: Refusal } | { withdrawn: true }> {
      const prepared = await prepare(context, intent, nextId);
      let begun: Begun | undefined;
      const refusal = await endIfUnreachable(context, prepared, () =>
        admit(async (transaction) => {
          begun = await prepared.begin(transaction);
          return begun;
        }),
      );
      if (refusal !== undefined) {
        return { refusal };
      }
      if (begun === undefined) {
        throw new TypeError('What was admitted has not begun');
      }
      if (begun.first && (await withdrawn(context, begun.row, isWithdrawn))) {
        return { withdrawn: true };
      }
      return callFirst(context, begun, { call, appendAudit: prepared.appendAudit });
    },

    /**
     * Ends what a dead run of the program left `underway` as `unconfirmed`, and returns how many operations those were.
     * Never touches those of a run that lives, so it may be called at any time, by several instances at once.
     */
    async recover(at: Date): Promise<number> {
      const isNeeded = await hasInterrupted(db);
      return isNeeded ? endInterrupted(db, { restoredAt, at, appendAudit: await audit.prepare() }) : 0;
    },

    ...createOperationHistory(context),
  };
}

/** Called before anything is sent: what could not be recorded is not done. */
async function prepare(context: StoreContext, intent: Intent, nextId: () => string): Promise<Prepared> {
  const { audit, clock, encryption, instances, phoneHashes, refuseOutdated } = context;
  refuseOutdated(intent.key);
  const appendAudit = await audit.prepare();
  const { workspaceId, numbers = [], text } = intent;
  const id = nextId();
  const createdAt = clock();
  const hashes = numbers.length === 0 ? [] : await phoneHashes.of(workspaceId, [...new Set(numbers)]);
  const encrypted =
    text === undefined
      ? undefined
      : writeOperationText({ text, to: numbers }, { workspaceId, operationId: id }, encryption);
  return {
    id,
    appendAudit,
    async begin(db) {
      const operation = { id, run: instances.run(), createdAt, hashes, text: encrypted };
      const row = await beginOperation(db, intent, operation);
      return { row, first: row.id === id };
    },
  };
}

/** Where the database went away meanwhile, it may have begun all the same. Nothing was sent, and nothing will be. */
async function endIfUnreachable<Result>(
  { db, clock, retryWrite }: StoreContext,
  { id, appendAudit }: Prepared,
  begin: () => Promise<Result>,
): Promise<Result> {
  try {
    return await begin();
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'unreachable') {
      const ended = endedColumns({ state: 'not_sent', error: notRecorded }, clock());
      await retryWrite(() => endOperation(db, { id, ended, appendAudit })).catch(() => {});
    }
    throw error;
  }
}

async function callFirst(
  context: StoreContext,
  { row, first }: Begun,
  { call, appendAudit }: { call: () => Promise<Ending>; appendAudit: AppendAudit },
): Promise<Performed> {
  if (!first) {
    return { operation: toOperation(row), first };
  }
  let ending: Ending;
  try {
    ending = await call();
  } catch (error) {
    await end(context, row, { ending: { state: 'unconfirmed', error: failedMidway }, appendAudit });
    throw error;
  }
  return { operation: await end(context, row, { ending, appendAudit }), first };
}

async function end(
  { db, clock, retryWrite }: StoreContext,
  row: OperationRow,
  { ending, appendAudit }: { ending: Ending; appendAudit: AppendAudit },
): Promise<Operation> {
  const ended = endedColumns(ending, clock());
  try {
    await retryWrite(() => endOperation(db, { id: row.id, ended, appendAudit }));
  } catch (error) {
    // With the data gone nothing can be stored any more: the caller gets the outcome at least.
    if (!(error instanceof StoreError) || error.fault !== 'data_gone') {
      throw error;
    }
  }
  return toOperation({ ...row, ...ended });
}

/** Takes back what is not to be performed. */
async function withdrawn(
  { db, retryWrite }: StoreContext,
  { id }: OperationRow,
  isWithdrawn: () => Promise<boolean>,
): Promise<boolean> {
  const mustGo = await isWithdrawn().catch(async (error: unknown) => {
    await retryWrite(() => takeBack(db, id));
    throw error;
  });
  if (mustGo) {
    await retryWrite(() => takeBack(db, id));
  }
  return mustGo;
}

/** Ids begin with a count, so that the history keeps the order of what began in the same millisecond. */
function createIdSequence(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${count.toString(16).padStart(8, '0')}-${randomUUID()}`;
  };
}

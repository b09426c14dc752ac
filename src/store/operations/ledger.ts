import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Timers } from '../../lib/time/timers.ts';
import type { AppendAudit, AuditTrail } from '../audit/audit-trail.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import { StoreError } from '../errors.ts';
import type { RefuseOutdated } from '../installation/epoch.ts';
import type { Instances } from '../instances/instances.ts';
import type { RetryWrite } from '../retry-write.ts';
import type { Schema } from '../schema.ts';
import { createAwaitOperation } from './await-operation.ts';
import { beginOperation, takeBack } from './begin-operation.ts';
import { endedColumns, endInterrupted, endOperation, hasInterrupted } from './end-operation.ts';
import {
  type Ending,
  failedMidway,
  type Intent,
  notRecorded,
  type Operation,
  type OperationRow,
  type ShownMessage,
  toOperation,
} from './operation.ts';
import { createOperationQueries } from './operation-queries.ts';
import { type OperationText, readOperationTexts, writeOperationText } from './operation-text.ts';
import { storePosted } from './store-posted.ts';

/** `first`: whether this call performed it. */
export interface Performed {
  operation: Operation;
  first: boolean;
}

/** Stores the intent in a transaction, or finds the one of its key. */
export type BeginIntent = (transaction: Transaction<Schema>) => Promise<{ first: boolean }>;

/**
 * The guard against doubles, and the history. An operation that ends gets a notice in the outbox and an entry in the audit.
 */
export interface Ledger {
  /**
   * Stores the intent durably, then calls `call` and stores its ending. Where the key is known already, calls nothing
   * and returns what is known (`first: false`; `underway` while the first caller still waits): of any number of callers
   * with one key, one calls. An error of `call` is stored as `unconfirmed` and thrown on. An error in storing the ending
   * is thrown, and the write retried in the background.
   *
   * @param admit called before `call`, once the intent is stored, so that of all instances only one is here with its key;
   * where it throws, the intent is taken back, nothing is called, and the error is thrown on
   * @throws StoreError `outdated` for a key from before the data was restored, `data_gone` where the data was taken away;
   * nothing was called
   */
  perform(intent: Intent, call: () => Promise<Ending>): Promise<Performed>;

  /**
   * The same for what has a condition: `admit` calls `begin` in a transaction of its own, which stores the intent, and
   * commits it only where `begin` was first. Resolves with what it returns, where that is a refusal; nothing is stored
   * and nothing called then.
   *
   * @param isWithdrawn asked once the intent is stored: where it is so, the intent is taken back, and nothing is called
   */
  performIf<Refusal>(
    intent: Intent,
    call: () => Promise<Ending>,
    admit: (begin: BeginIntent) => Promise<Refusal | undefined>,
    isWithdrawn: () => Promise<boolean>,
  ): Promise<Performed | { refusal: Refusal } | { withdrawn: true }>;

  /**
   * Waits for an operation that another instance performs, for a minute at most. Returns it as it is then; undefined where
   * it was taken back.
   */
  settled(operation: Pick<Operation, 'id'>): Promise<Operation | undefined>;

  find(workspaceId: string, by: { id: string } | { key: string }): Promise<Operation | undefined>;

  /**
   * Ends what a dead run of the program left `underway` as `unconfirmed`, and returns how many operations those were.
   * Never touches those of a run that lives, so it may be called at any time, by several instances at once.
   */
  recover(now: Date): Promise<number>;

  /**
   * Remembers a message of Slack that shows the outcome. What was reported of it so far is looked at again.
   *
   * @param as which of the two messages of the operation it is
   */
  posted(operation: Operation, message: ShownMessage, as?: 'message' | 'resolvedMessage'): Promise<void>;

  /** The newest operations first. */
  recent(query: OperationQuery): Promise<Operation[]>;

  /** Returns what was sent by the operations that had a text, by their ids, while it is kept. */
  texts(workspaceId: string, ids: readonly string[]): Promise<Map<string, OperationText>>;
}

/** Which operations are read: those for which all of it is true. */
export interface OperationQuery {
  workspaceId: string;
  userId?: string | undefined;
  /** What comes before the dot of its kind. */
  subject?: string | undefined;
  states?: readonly Operation['state'][] | undefined;
  /** Begun then or later. */
  from?: Date | undefined;
  /** Begun earlier. */
  until?: Date | undefined;
  /** The id of the last one seen, of the same user if one is given. */
  before?: string | undefined;
  limit: number;
}

interface LedgerOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  instances: Pick<Instances, 'run'>;
  clock: Clock;
  timers: Timers;
  retryWrite: RetryWrite;
  /** See `InstallationState`. */
  restoredAt: Date | undefined;
  refuseOutdated: RefuseOutdated;
  audit: Pick<AuditTrail, 'prepare'>;
}

interface Begun {
  row: OperationRow;
  first: boolean;
}

export function createLedger(options: LedgerOptions): Ledger {
  const { db, encryption, phoneHashes, instances, clock, retryWrite, restoredAt, refuseOutdated, audit } =
    options;
  const now = () => clock().getTime();
  const nextId = createIdSequence();

  /** Returns what begins it under a new id, in a transaction or without. */
  async function prepareBegin(
    intent: Intent,
  ): Promise<{ id: string; begin: (db: Kysely<Schema>) => Promise<Begun> }> {
    const { workspaceId, numbers = [], text } = intent;
    const id = nextId();
    const created_at = now();
    const hashes = numbers.length === 0 ? [] : await phoneHashes.of(workspaceId, [...new Set(numbers)]);
    const encrypted =
      text === undefined
        ? undefined
        : writeOperationText({ text, to: numbers }, { workspaceId, id, encryption });
    const begin = async (place: Kysely<Schema>) => {
      const row = await beginOperation(place, intent, {
        id,
        run: instances.run(),
        created_at,
        hashes,
        text: encrypted,
      });
      return { row, first: row.id === id };
    };
    return { id, begin };
  }

  async function end(row: OperationRow, ending: Ending, appendAudit: AppendAudit): Promise<Operation> {
    const ended = endedColumns(ending, now());
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

  /** Before anything is sent: what could not be recorded is not done. */
  async function prepare(intent: Intent) {
    refuseOutdated(intent.key);
    const appendAudit = await audit.prepare();
    return { ...(await prepareBegin(intent)), appendAudit };
  }

  /** Where the database went away meanwhile, it may have begun all the same. Nothing was sent, and nothing will be. */
  async function endIfUnreachable<Result>(
    { id, appendAudit }: { id: string; appendAudit: AppendAudit },
    begin: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await begin();
    } catch (error) {
      if (error instanceof StoreError && error.fault === 'unreachable') {
        const ended = endedColumns({ state: 'not_sent', error: notRecorded }, now());
        await retryWrite(() => endOperation(db, { id, ended, appendAudit })).catch(() => {});
      }
      throw error;
    }
  }

  async function callFirst(
    { row, first }: Begun,
    call: () => Promise<Ending>,
    appendAudit: AppendAudit,
  ): Promise<Performed> {
    if (!first) {
      return { operation: toOperation(row), first };
    }
    let ending: Ending;
    try {
      ending = await call();
    } catch (error) {
      await end(row, { state: 'unconfirmed', error: failedMidway }, appendAudit);
      throw error;
    }
    return { operation: await end(row, ending, appendAudit), first };
  }

  /** Takes back what is not to be performed. */
  async function withdrawn({ id }: OperationRow, isWithdrawn: () => Promise<boolean>): Promise<boolean> {
    const mustGo = await isWithdrawn().catch(async (error: unknown) => {
      await retryWrite(() => takeBack(db, id));
      throw error;
    });
    if (mustGo) {
      await retryWrite(() => takeBack(db, id));
    }
    return mustGo;
  }

  return {
    async perform(intent, call) {
      const prepared = await prepare(intent);
      const begun = await endIfUnreachable(prepared, () => prepared.begin(db));
      return callFirst(begun, call, prepared.appendAudit);
    },

    async performIf(intent, call, admit, isWithdrawn) {
      const prepared = await prepare(intent);
      let begun: Begun | undefined;
      const refusal = await endIfUnreachable(prepared, () =>
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
      if (begun.first && (await withdrawn(begun.row, isWithdrawn))) {
        return { withdrawn: true };
      }
      return callFirst(begun, call, prepared.appendAudit);
    },

    async recover(at) {
      const isNeeded = await hasInterrupted(db);
      return isNeeded ? endInterrupted(db, { restoredAt, at, appendAudit: await audit.prepare() }) : 0;
    },

    posted: (...posted) => storePosted(db, ...posted),

    settled: createAwaitOperation(options),

    ...createOperationQueries(db),

    texts: (workspaceId, ids) => readOperationTexts(db, encryption, { workspaceId, ids }),
  };
}

/** Ids begin with a count, so that the history keeps the order of what began in the same millisecond. */
function createIdSequence(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${count.toString(16).padStart(8, '0')}-${randomUUID()}`;
  };
}

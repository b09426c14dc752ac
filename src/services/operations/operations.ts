import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import type { Usage } from '../../domain/limits/reached-limit.ts';
import type { Unchanged } from '../../domain/limits/seen.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import {
  type Ending,
  failedMidway,
  type Intent,
  type Operation,
  type OperationError,
  type OperationMark,
} from '../../store/operations/operation.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import { orGone, Refusal } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** `first`: whether this call performed it, rather than an earlier or concurrent one. */
export interface SpendResult {
  kind: 'performed';
  operation: Operation;
  first: boolean;
}

type FreeUsage = Extract<Usage, { kind: 'free' }>;

/** An intent with its charges. Spending needs proof that nothing changed since the user saw it. */
export type MeteredIntent = Intent &
  ({ usage: FreeUsage; unchanged?: undefined } | { usage: Exclude<Usage, FreeUsage>; unchanged: Unchanged });

/** In milliseconds: longer than anybody leaves a form open. */
const cancellationTtl = 30 * 24 * 60 * 60_000;

type SharedResult =
  | SpendResult
  /** A limit was reached. No operation is stored, and the same can be asked for again. */
  | Refusal
  /** The user cancelled it before it started. It is never performed. */
  | undefined;

type OperationKey = Pick<Intent, 'workspaceId' | 'key'>;

export type Operations = ReturnType<typeof createOperations>;

/**
 * Everything that costs money or can't be undone goes through `spend`: performed once, and recorded before
 * and after. Each key belongs to one user (see `ownId`). These guarantees are tested in
 * `test/services/operations` and, for the ledger, in `test/store/operations/ledger.test.ts`:
 *
 * - A second click waits for the first and shows its result. `instances.test.ts`: is performed by one, and
 *   the others wait for its outcome; within one process, `operations.test.ts`: that is requested again
 *   meanwhile waits for the same outcome, and is performed and counted once.
 * - *Limited* is thrown only if no row has the key, because a user told that nothing was sent would send
 *   again. `instances.test.ts`: meets the limit that it has reached itself on no instance.
 * - A cancellation between the claim and the request refunds the charges. `instances.test.ts`: that is
 *   cancelled between its claim and its request is taken back with what it took.
 * - An operation that throws is unconfirmed. `operations.test.ts`: that breaks off is unconfirmed, without
 *   the text of the error, and is not performed again.
 * - If the database is lost while the row is written, the row ends as not sent if it was stored after all.
 *   `ledger.test.ts`: ends what it cannot say was stored, as the database was lost meanwhile, as not sent.
 * - An outcome replaces the *unconfirmed* of another instance that thought this one was dead. `ledger.test.ts`:
 *   corrects what another instance called unconfirmed, and tells its user once.
 * - Nobody waits for nothing: what can't be taken back for a minute ends as not sent. `ledger.test.ts`: waits for
 *   what is taken back later, and ends it as not sent once somebody may have been told that it is sent.
 * - The result, its outbox and audit entries, and its refunds are one transaction. `ledger.test.ts`: for any
 *   other reason is stored once the reason is gone, with all that belongs to it or nothing.
 */
export function createOperations(
  { store, metrics }: Context,
  {
    workspaces,
    limits,
  }: {
    workspaces: Pick<Workspaces, 'connected'>;
    limits: Pick<Limits, 'chargesOf' | 'recordRefusal' | 'warn'>;
  },
) {
  const { ledger, keyv, refuseOutdated } = store;
  /** Sends and cancellations of this instance that are in progress. Other instances meet them in the ledger. */
  const pending = new Map<string, Promise<SharedResult>>();
  const nameOf = ({ workspaceId, key }: OperationKey) => JSON.stringify([workspaceId, key]);

  /**
   * Runs only the first of concurrent sends and cancellations with the same key. The others get its
   * result, or its error.
   */
  async function shared(key: OperationKey, work: () => Promise<SharedResult>): Promise<SharedResult> {
    const name = nameOf(key);
    const current = pending.get(name);
    if (current !== undefined) {
      const result = await current;
      return result === undefined || result instanceof Refusal ? result : { ...result, first: false };
    }
    const running = work().finally(() => pending.delete(name));
    pending.set(name, running);
    return running;
  }

  const isMarked = async ({ workspaceId, key }: OperationKey): Promise<boolean> =>
    (await keyv(workspaceId, 'cancelled').get(key)) !== undefined;

  /** Returns the operation of a key. Waits for its ending where another instance performs it. */
  async function waitForKey({ workspaceId, key }: OperationKey): Promise<Operation | undefined> {
    const operation = await ledger.find(workspaceId, { key });
    return operation && ledger.waitForEnding(operation);
  }

  return {
    /** For a step that leads to an operation only later. Not needed before `spend`, which refuses outdated keys itself. */
    refuseOutdated,

    /**
     * Performs the spending, once per key. `unchanged` proves that the caller compared the facts; it isn't read here.
     * Throws a Refusal where no key is connected, a limit is reached, or the user has cancelled it: then no operation is
     * stored, and the provider wasn't called.
     */
    async spend(
      { usage, unchanged: _, ...spending }: MeteredIntent,
      call: (account: ProviderAccount) => Promise<Ending>,
    ): Promise<SpendResult> {
      const intent = { ...spending, key: ownId(spending.userId, spending.key) };
      // Checked outside of `shared`, so that a waiting cancellation doesn't mistake a missing connection for
      // a cancelled send.
      const account = await workspaces.connected(intent.workspaceId);
      const result = await shared(intent, async () => {
        for (;;) {
          const started = await ledger.begin(intent, await limits.chargesOf(intent, usage));
          if (started.kind === 'full') {
            return limits.recordRefusal(intent, started.full);
          }
          if (started.kind === 'known') {
            const operation = await ledger.waitForEnding(started.operation);
            if (operation === undefined) {
              // Another instance has taken it back: it was cancelled, or that could not be looked up.
              continue;
            }
            return { kind: 'performed', operation, first: false };
          }
          await limits.warn(intent.workspaceId, started.taken);
          // Checked after storing it. A cancellation is stored before it looks for the operation, so one of
          // the two always sees the other.
          const isCancelled = await isMarked(intent).catch(async (error: unknown) => {
            await ledger.takeBack(started);
            throw error;
          });
          if (isCancelled) {
            await ledger.takeBack(started);
            return undefined;
          }
          let ending: Ending;
          try {
            ending = await call(account);
          } catch (error) {
            await ledger.end(started, { state: 'unconfirmed', error: failedMidway });
            throw error;
          }
          const operation = await ledger.end(started, ending);
          metrics.operation(intent.kind, operation.state);
          return { kind: 'performed', operation, first: true };
        }
      });
      // Thrown outside of `shared`, because a waiting cancellation continues from the same result.
      if (result === undefined || result instanceof Refusal) {
        throw result ?? new Refusal({ kind: 'cancelled', of: intent.kind });
      }
      return result;
    },

    /** Ends what can't be performed as not sent, with the reason. Returns the operation of its key if there is one already. */
    async recordNotSent(giving: Intent, error: OperationError): Promise<Operation> {
      const started = await ledger.begin({ ...giving, key: ownId(giving.userId, giving.key) }, []);
      if (started.kind === 'full') {
        throw new TypeError('nothing is charged');
      }
      return started.kind === 'known' ? started.operation : ledger.end(started, { state: 'not_sent', error });
    },

    /**
     * Makes sure that nothing is performed under a key any more, durably once it resolves. If the operation had started,
     * returns it once it has ended.
     */
    async cancel(workspaceId: string, key: string, userId: string): Promise<Operation | undefined> {
      const ownKey = { workspaceId, key: ownId(userId, key) };
      for (;;) {
        const result = await shared(ownKey, async () => {
          let operation = await waitForKey(ownKey);
          if (operation === undefined) {
            refuseOutdated(ownKey.key);
            await keyv(workspaceId, 'cancelled').set(ownKey.key, true, cancellationTtl);
            operation = await waitForKey(ownKey);
          }
          return operation && { kind: 'performed', operation, first: false };
        });
        // The refusal came from the send that it waited for, so try again.
        if (!(result instanceof Refusal)) {
          return result?.operation;
        }
      }
    },

    async isCancelled(workspaceId: string, key: string, userId: string): Promise<boolean> {
      const ownKey = { workspaceId, key: ownId(userId, key) };
      // An operation that started at the same moment wins over the cancellation.
      return (await isMarked(ownKey)) && (await ledger.find(workspaceId, { key: ownKey.key })) === undefined;
    },

    /**
     * Stores what the user found out about their own unconfirmed operation, and returns it with the mark. Throws a Refusal if
     * the user has no such operation.
     */
    async mark(
      workspaceId: string,
      key: string,
      userId: string,
      kind: OperationMark['kind'],
    ): Promise<Operation> {
      const ownKey = { workspaceId, key: ownId(userId, key) };
      await ledger.mark({ ...ownKey, userId }, kind);
      return orGone(await ledger.find(workspaceId, { key: ownKey.key }), 'message');
    },

    /** Returns the user's operation of a key. Waits while it is performed, which may take a whole send. */
    async findEnded(workspaceId: string, key: string, userId: string): Promise<Operation | undefined> {
      const ownKey = { workspaceId, key: ownId(userId, key) };
      const current = await pending.get(nameOf(ownKey));
      return current === undefined || current instanceof Refusal ? waitForKey(ownKey) : current.operation;
    },

    /** Returns a user's operations, newest first. */
    recent: (workspaceId: string, userId: string, limit: number) =>
      ledger.recent({ workspaceId, userId, limit }),
  };
}

const summarySchema = z.object({ recipients: z.number().default(1), erased: z.number().default(0) });

/** Returns how many recipients an operation has; one if its summary doesn't say. */
export function countRecipients({ summary }: Pick<Operation, 'summary'>): number {
  return summarySchema.safeParse(summary).data?.recipients ?? 1;
}

/** The same without erased recipients. */
export function countKnownRecipients({ summary }: Pick<Operation, 'summary'>): number {
  const { recipients, erased } = summarySchema.safeParse(summary).data ?? { recipients: 1, erased: 0 };
  return recipients - erased;
}

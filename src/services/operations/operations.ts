import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import type { ReachedLimit, Usage } from '../../domain/limits/reached-limit.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Ending, Intent, Operation } from '../../store/operations/operation.ts';
import type { Store } from '../../store/store.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

export type SpendResult =
  /** `first`: whether this call performed it; false where an earlier or concurrent call did. */
  | { kind: 'performed'; operation: Operation; first: boolean }
  /** The user cancelled it before it began. It is never performed. */
  | { kind: 'cancelled' }
  /** A limit was reached. Nothing was written down, and the same can be asked for again. */
  | { kind: 'limited'; limit: ReachedLimit }
  /** No provider key is connected. Nothing was written down. */
  | { kind: 'not_connected' };

/** What is to be performed, and what it takes of the limits. */
export interface MeteredIntent extends Intent {
  usage: Usage;
}

/** In milliseconds: longer than anybody leaves a form open. */
const cancellationTtl = 30 * 24 * 60 * 60_000;

export type Operations = ReturnType<typeof createOperations>;

interface SpendOthers {
  workspaces: Pick<Workspaces, 'account'>;
  limits: Pick<Limits, 'take'>;
}

/**
 * Everything that costs money or cannot be undone goes through here: performed once, and recorded before and after.
 * Each key belongs to one user (see `ownId`).
 */
export function createOperations(context: Context, others: SpendOthers) {
  const { store } = context;
  const { ledger, refuseOutdated } = store;
  const pending = createPendingOperations();

  return {
    /** For a step that leads to an operation only later. Not needed before `spend`, which refuses outdated keys itself. */
    refuseOutdated,

    /**
     * Performs the spending, once for its key: checks the connection and the limits, writes the intent, calls the provider
     * and writes the ending. Concurrent calls with the same key, on whichever instances, wait for the same outcome, and count
     * once.
     *
     * @param refuse called once the connection is known; what it resolves to is returned, and nothing is performed
     */
    async spend<Refusal = never>(
      spending: MeteredIntent,
      call: (account: ProviderAccount) => Promise<Ending>,
      refuse?: () => Promise<Refusal | undefined>,
    ): Promise<SpendResult | Refusal> {
      // Before `pending.run`: a cancellation that waits for this must not take a missing connection for a cancellation.
      const account = await others.workspaces.account(spending.workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const refusal = await refuse?.();
      if (refusal !== undefined) {
        return refusal;
      }
      const own = { ...spending, key: ownId(spending.userId, spending.key) };
      return pending.run(own, () => perform(context, others, own, () => call(account)));
    },

    /**
     * Makes sure that nothing is performed under a key any more; that is on the disk when this resolves. Returns the
     * operation if it had begun, once it has ended.
     */
    async cancel(workspaceId: string, key: string, userId: string): Promise<Operation | undefined> {
      const own = ownId(userId, key);
      const cancelling = () =>
        pending.run({ workspaceId, key: own }, () => cancelUnlessBegun(store, workspaceId, own));
      let result = await cancelling();
      while (result.kind === 'limited') {
        // This was the result of a send that it waited for, which may be tried again.
        result = await cancelling();
      }
      return result.kind === 'performed' ? result.operation : undefined;
    },

    async isCancelled(workspaceId: string, key: string, userId: string): Promise<boolean> {
      const own = ownId(userId, key);
      // What had begun at the same moment counts, and the mark of the cancellation does not.
      return (
        (await isMarked(store, workspaceId, own)) &&
        (await ledger.find(workspaceId, { key: own })) === undefined
      );
    },

    /** Returns what a user did under a key, once it has ended. */
    async find(workspaceId: string, key: string, userId: string): Promise<Operation | undefined> {
      const own = ownId(userId, key);
      const current = await pending.find({ workspaceId, key: own });
      return current?.kind === 'performed' ? current.operation : findBegun(store, workspaceId, own);
    },

    /** Returns a user's operations, newest first. */
    recent: (workspaceId: string, userId: string, limit: number) =>
      ledger.recent({ workspaceId, userId, limit }),
  };
}

async function isMarked({ keyv }: Store, workspaceId: string, key: string): Promise<boolean> {
  return (await keyv(workspaceId, 'cancelled').get(key)) !== undefined;
}

/** Returns what was begun under a key, once it has ended. */
async function findBegun(
  { ledger }: Store,
  workspaceId: string,
  key: string,
): Promise<Operation | undefined> {
  const operation = await ledger.find(workspaceId, { key });
  return operation && ledger.settled(operation);
}

async function perform(
  context: Context,
  others: SpendOthers,
  spending: MeteredIntent,
  call: () => Promise<Ending>,
): Promise<PendingResult> {
  const { workspaceId, key } = spending;
  for (;;) {
    const operation = await findBegun(context.store, workspaceId, key);
    if (operation !== undefined) {
      return { kind: 'performed', operation, first: false };
    }
    const result = await performOnce(context, others, spending, call);
    if (result !== 'begun_elsewhere') {
      return result;
    }
  }
}

async function performOnce(
  { store, metrics }: Context,
  { limits }: SpendOthers,
  { usage, ...intent }: MeteredIntent,
  call: () => Promise<Ending>,
): Promise<PendingResult | 'begun_elsewhere'> {
  const { workspaceId, userId, key } = intent;
  store.refuseOutdated(key);
  let giveBack = async (_why: 'not_sent' | 'rejected'): Promise<void> => {};
  const performed = await store.ledger.performIf(
    intent,
    call,
    async (begin) => {
      const taken = await limits.take({ workspaceId, userId, begin }, usage);
      if (taken.kind === 'taken') {
        giveBack = taken.giveBack;
      }
      return taken.kind === 'limited' ? taken : undefined;
    },
    // Asked once it is stored: a cancellation is stored before it looks for an operation, and one of the two sees the other.
    () => isMarked(store, workspaceId, key),
  );
  if ('withdrawn' in performed) {
    await giveBack('not_sent');
    return { kind: 'cancelled' };
  }
  if ('refusal' in performed) {
    // Another instance may have begun the same meanwhile, and so reached the limit.
    const found = await store.ledger.find(workspaceId, { key });
    return found === undefined ? performed.refusal : 'begun_elsewhere';
  }
  const { state } = performed.operation;
  if (!performed.first) {
    return state === 'underway' ? 'begun_elsewhere' : { kind: 'performed', ...performed };
  }
  await (state === 'not_sent' || state === 'rejected' ? giveBack(state) : undefined);
  metrics.operation(intent.kind, state);
  return { kind: 'performed', ...performed };
}

async function cancelUnlessBegun(store: Store, workspaceId: string, key: string): Promise<PendingResult> {
  const before = await findBegun(store, workspaceId, key);
  if (before !== undefined) {
    return { kind: 'performed', operation: before, first: false };
  }
  store.refuseOutdated(key);
  await store.keyv(workspaceId, 'cancelled').set(key, true, cancellationTtl);
  const meanwhile = await findBegun(store, workspaceId, key);
  return meanwhile === undefined
    ? { kind: 'cancelled' }
    : { kind: 'performed', operation: meanwhile, first: false };
}

type PendingResult = Exclude<SpendResult, { kind: 'not_connected' }>;

type PendingKey = Pick<Intent, 'workspaceId' | 'key'>;

/**
 * The sends and cancellations that this instance is performing. They share their result without asking the database; those
 * of other instances meet them in the ledger.
 */
function createPendingOperations() {
  const pending = new Map<string, Promise<PendingResult>>();
  const nameOf = ({ workspaceId, key }: PendingKey) => JSON.stringify([workspaceId, key]);

  return {
    /** Of concurrent sends and cancellations under one key, only the first runs; the others get its result. */
    async run(key: PendingKey, work: () => Promise<PendingResult>): Promise<PendingResult> {
      const name = nameOf(key);
      const current = pending.get(name);
      if (current !== undefined) {
        const result = await current;
        return result.kind === 'performed' ? { ...result, first: false } : result;
      }
      const running = work().finally(() => pending.delete(name));
      pending.set(name, running);
      return running;
    },

    find: (key: PendingKey) => pending.get(nameOf(key)),
  };
}

const summarySchema = z.object({ recipients: z.number().default(1) });

/** Returns how many recipients an operation has, by its summary; of one that names no number of them, one. */
export function countRecipients({ summary }: Pick<Operation, 'summary'>): number {
  return summarySchema.safeParse(summary).data?.recipients ?? 1;
}

import type { Keyv } from 'keyv';
import type { ReachedLimit, Usage } from '../../domain/limits/reached-limit.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { RefuseOutdated } from '../../store/installation/epoch.ts';
import type { BeginIntent, Ending, Intent, Ledger, Operation } from '../../store/operations/ledger.ts';
import { ownId } from './ownership.ts';
import { createPendingOperations, type PendingResult } from './pending-operations.ts';

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

/**
 * - `not_sent`: nothing left the machine;
 * - `rejected`: the provider refused.
 */
export type GivenBack = 'not_sent' | 'rejected';

/**
 * Takes what a spending takes of the limits, or says which one is reached. In the transaction that takes, `begin` stores
 * what it is for; `found` where an earlier call did, and nothing is taken.
 */
export type TakeUsage = (
  who: { workspaceId: string; userId: string; id: string; begin: BeginIntent },
  usage: Usage,
) => Promise<
  | { kind: 'taken'; giveBack(why: GivenBack): Promise<void> }
  | { kind: 'found' }
  | { kind: 'limited'; limit: ReachedLimit }
>;

/**
 * Everything that costs money or cannot be undone goes through here: performed once, and recorded before and after.
 * Each key belongs to one user (see `ownId`).
 */
export interface Operations {
  /**
   * Performs the spending, once for its key: checks the connection and the limits, writes the intent, calls the provider
   * and writes the ending. Concurrent calls with the same key wait for the same outcome, and count once.
   *
   * @param refuse called once the connection is known; what it resolves to is returned, and nothing is performed
   */
  spend<Refusal = never>(
    spending: MeteredIntent,
    call: (account: ProviderAccount) => Promise<Ending>,
    refuse?: () => Promise<Refusal | undefined>,
  ): Promise<SpendResult | Refusal>;
  /**
   * Makes sure that nothing is performed under a key any more; that is on the disk when this resolves. Returns the
   * operation if it had begun, once it has ended if this process performs it.
   */
  cancel(workspaceId: string, key: string, userId: string): Promise<Operation | undefined>;
  isCancelled(workspaceId: string, key: string, userId: string): Promise<boolean>;
  /** For a step that leads to an operation only later. Not needed before `spend`, which refuses outdated keys itself. */
  refuseOutdated: RefuseOutdated;
  /** Returns what a user did under a key, once it has ended if this process performs it. */
  find(workspaceId: string, key: string, userId: string): Promise<Operation | undefined>;
  /** Returns a user's operations, newest first. */
  recent(workspaceId: string, userId: string, limit: number): Promise<Operation[]>;
}

/** In milliseconds: longer than anybody leaves a form open. */
const cancellationTtl = 30 * 24 * 60 * 60_000;

export function createOperations(options: {
  ledger: Ledger;
  keyv: (workspaceId: string, area: string) => Keyv;
  account: (workspaceId: string) => Promise<ProviderAccount | undefined>;
  refuseOutdated: RefuseOutdated;
  takeUsage: TakeUsage;
  /** Called with each operation's kind and final state, for the metrics. */
  ended: (kind: string, state: string) => void;
}): Operations {
  const { ledger, refuseOutdated, takeUsage } = options;
  const pending = createPendingOperations();
  const cancelled = (workspaceId: string) => options.keyv(workspaceId, 'cancelled');

  async function isCancelled(workspaceId: string, key: string): Promise<boolean> {
    return (await cancelled(workspaceId).get(key)) !== undefined;
  }

  async function perform(
    { usage, ...intent }: MeteredIntent,
    call: () => Promise<Ending>,
  ): Promise<PendingResult> {
    const { workspaceId, userId, key } = intent;
    if (await isCancelled(workspaceId, key)) {
      return { kind: 'cancelled' };
    }
    const before = await ledger.find(workspaceId, { key });
    if (before !== undefined) {
      return { kind: 'performed', operation: before, first: false };
    }
    refuseOutdated(key);
    let giveBack = async (_why: GivenBack): Promise<void> => {};
    const performed = await ledger.performIf(intent, call, async (begin) => {
      const taken = await takeUsage({ workspaceId, userId, id: key, begin }, usage);
      if (taken.kind === 'taken') {
        giveBack = taken.giveBack;
      }
      return taken.kind === 'limited' ? taken : undefined;
    });
    if ('refusal' in performed) {
      // Another process may have begun the same meanwhile, and so reached the limit.
      const begun = await ledger.find(workspaceId, { key });
      return begun === undefined ? performed.refusal : { kind: 'performed', operation: begun, first: false };
    }
    const { state } = performed.operation;
    if (performed.first) {
      await (state === 'not_sent' || state === 'rejected' ? giveBack(state) : undefined);
      options.ended(intent.kind, state);
    }
    return { kind: 'performed', ...performed };
  }

  async function cancelUnlessBegun(workspaceId: string, key: string): Promise<PendingResult> {
    const operation = await ledger.find(workspaceId, { key });
    if (operation !== undefined) {
      return { kind: 'performed', operation, first: false };
    }
    refuseOutdated(key);
    await cancelled(workspaceId).set(key, true, cancellationTtl);
    return { kind: 'cancelled' };
  }

  return {
    refuseOutdated,

    async spend(spending, call, refuse) {
      // Before `pending.run`: a cancellation that waits for this must not take a missing connection for a cancellation.
      const account = await options.account(spending.workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const refusal = await refuse?.();
      if (refusal !== undefined) {
        return refusal;
      }
      const own = { ...spending, key: ownId(spending.userId, spending.key) };
      return pending.run(own, () => perform(own, () => call(account)));
    },

    async cancel(workspaceId, key, userId) {
      const own = ownId(userId, key);
      const cancelling = () =>
        pending.run({ workspaceId, key: own }, () => cancelUnlessBegun(workspaceId, own));
      let result = await cancelling();
      while (result.kind === 'limited') {
        // This was the result of a send that it waited for, which may be tried again.
        result = await cancelling();
      }
      return result.kind === 'performed' ? result.operation : undefined;
    },

    isCancelled: (workspaceId, key, userId) => isCancelled(workspaceId, ownId(userId, key)),

    async find(workspaceId, key, userId) {
      const own = ownId(userId, key);
      const current = await pending.find({ workspaceId, key: own });
      return current?.kind === 'performed' ? current.operation : ledger.find(workspaceId, { key: own });
    },

    recent: (workspaceId, userId, limit) => ledger.recent({ workspaceId, userId, limit }),
  };
}

import type { Keyv } from 'keyv';
import type { RefuseOutdated } from '../../store/installation/epoch.ts';
import type { Ending, Intent, Ledger, Operation } from '../../store/operations/ledger.ts';
import { ownId } from './ownership.ts';

export type PerformResult =
  /** `first`: whether this call did it; false where it was done before, or another call was already at it. */
  | { kind: 'performed'; operation: Operation; first: boolean }
  /** The person cancelled it before it began. It is not done, now or later. */
  | { kind: 'cancelled' };

/**
 * Whatever costs money or cannot be taken back goes through here: done once, written down before and after. Keys are
 * those of one person each (see `ownId`).
 */
export interface Operations {
  /** Does what the intent says, once for its key. Who asks again meanwhile waits for the same outcome. */
  perform(intent: Intent, call: () => Promise<Ending>): Promise<PerformResult>;
  /**
   * Makes sure that nothing is done under a key any more; that is on the disk when this resolves. Returns the operation
   * where it had begun, once it has ended if it is under way here.
   */
  cancel(workspaceId: string, key: string, userId: string): Promise<Operation | undefined>;
  isCancelled(workspaceId: string, key: string, userId: string): Promise<boolean>;
  /** For what leads to an operation of this key only later: `perform` refuses by itself. */
  refuseOutdated: RefuseOutdated;
  /** What a person did under a key, once it has ended if it is under way here. */
  find(workspaceId: string, key: string, userId: string): Promise<Operation | undefined>;
  /** A person's operations, the newest first. */
  recent(workspaceId: string, userId: string, limit: number): Promise<Operation[]>;
  /** The account's balance as the provider last told it, among the workspace's latest operations. */
  balance(workspaceId: string): Promise<Balance | undefined>;
}

export interface Balance {
  /** Exactly as the provider wrote it. */
  amount: string;
  at: Date;
}

/** How far back the balance is looked for. */
const latest = 50;

/** Longer than anybody leaves a form open. */
const cancelledFor = 30 * 24 * 60 * 60_000;

export function createOperations(options: {
  ledger: Ledger;
  keyv: (workspaceId: string, area: string) => Keyv;
  refuseOutdated: RefuseOutdated;
  /** Called with each operation's kind and how it ended, for the metrics. */
  ended: (kind: string, state: string) => void;
}): Operations {
  const { ledger } = options;
  const underWay = new Map<string, Promise<PerformResult>>();
  const nameOf = (workspaceId: string, key: string) => JSON.stringify([workspaceId, key]);
  const cancelled = (workspaceId: string) => options.keyv(workspaceId, 'cancelled');

  /** Of what is asked for under one key at the same time, a send or a cancellation, the first is done for all. */
  async function once(
    { workspaceId, key }: Pick<Intent, 'workspaceId' | 'key'>,
    work: () => Promise<PerformResult>,
  ): Promise<PerformResult> {
    const name = nameOf(workspaceId, key);
    const current = underWay.get(name);
    if (current !== undefined) {
      const performing = await current;
      return performing.kind === 'performed' ? { ...performing, first: false } : performing;
    }
    const performing = work().finally(() => underWay.delete(name));
    underWay.set(name, performing);
    return performing;
  }

  async function isCancelled(workspaceId: string, key: string): Promise<boolean> {
    return (await cancelled(workspaceId).get(key)) !== undefined;
  }

  async function performAndCount(intent: Intent, call: () => Promise<Ending>): Promise<PerformResult> {
    if (await isCancelled(intent.workspaceId, intent.key)) {
      return { kind: 'cancelled' };
    }
    const performed = await ledger.perform(intent, call);
    if (performed.first) {
      options.ended(intent.kind, performed.operation.state);
    }
    return { kind: 'performed', ...performed };
  }

  async function cancelUnlessBegun(workspaceId: string, key: string): Promise<PerformResult> {
    const operation = await ledger.find(workspaceId, { key });
    if (operation !== undefined) {
      return { kind: 'performed', operation, first: false };
    }
    options.refuseOutdated(key);
    await cancelled(workspaceId).set(key, true, cancelledFor);
    return { kind: 'cancelled' };
  }

  return {
    refuseOutdated: options.refuseOutdated,

    perform(intent, call) {
      const own = { ...intent, key: ownId(intent.userId, intent.key) };
      return once(own, () => performAndCount(own, call));
    },

    async cancel(workspaceId, key, userId) {
      const own = ownId(userId, key);
      const performing = await once({ workspaceId, key: own }, () => cancelUnlessBegun(workspaceId, own));
      return performing.kind === 'performed' ? performing.operation : undefined;
    },

    isCancelled: (workspaceId, key, userId) => isCancelled(workspaceId, ownId(userId, key)),

    async find(workspaceId, key, userId) {
      const own = ownId(userId, key);
      const current = await underWay.get(nameOf(workspaceId, own));
      return current?.kind === 'performed' ? current.operation : ledger.find(workspaceId, { key: own });
    },

    recent: (workspaceId, userId, limit) => ledger.recent({ workspaceId, userId, limit }),

    async balance(workspaceId) {
      const operations = await ledger.recent({ workspaceId, limit: latest });
      const told = operations.find(({ balance }) => balance !== undefined);
      return told?.balance === undefined
        ? undefined
        : { amount: told.balance, at: told.endedAt ?? told.createdAt };
    },
  };
}

import type { RefuseOutdated } from '../store/epoch.ts';
import type { Ending, Intent, Ledger, Operation } from '../store/ledger.ts';

export interface Performed {
  operation: Operation;
  /** Whether this call did it; false where it was done before, or another call was already at it. */
  first: boolean;
}

/** Whatever costs money or cannot be taken back goes through here: done once, written down before and after. */
export interface Operations {
  /** Does what the intent says, once for its key. Who asks again meanwhile waits for the same outcome. */
  perform(intent: Intent, call: () => Promise<Ending>): Promise<Performed>;
  /** For what leads to an operation of this key only later: `perform` refuses by itself. */
  refuseOutdated: RefuseOutdated;
  /** What a person did under a key, once it has ended if it is under way here. */
  find(workspaceId: string, key: string, personId: string): Promise<Operation | undefined>;
  /** A person's operations, the newest first. */
  recent(workspaceId: string, personId: string, limit: number): Promise<Operation[]>;
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

export function createOperations(options: {
  ledger: Ledger;
  refuseOutdated: RefuseOutdated;
  /** Called with each operation's kind and how it ended, for the metrics. */
  ended: (kind: string, state: string) => void;
}): Operations {
  const { ledger } = options;
  const underWay = new Map<string, Promise<Performed>>();
  const nameOf = (workspaceId: string, key: string) => JSON.stringify([workspaceId, key]);

  async function performAndCount(intent: Intent, call: () => Promise<Ending>): Promise<Performed> {
    const performed = await ledger.perform(intent, call);
    if (performed.first) {
      options.ended(intent.kind, performed.operation.state);
    }
    return performed;
  }

  return {
    refuseOutdated: options.refuseOutdated,

    async perform(intent, call) {
      const name = nameOf(intent.workspaceId, intent.key);
      const current = underWay.get(name);
      if (current !== undefined) {
        return { ...(await current), first: false };
      }
      const performing = performAndCount(intent, call).finally(() => underWay.delete(name));
      underWay.set(name, performing);
      return performing;
    },

    async find(workspaceId, key, personId) {
      const current = await underWay.get(nameOf(workspaceId, key));
      const operation = current?.operation ?? (await ledger.find(workspaceId, { key }));
      return operation?.actor === personId ? operation : undefined;
    },

    recent: (workspaceId, actor, limit) => ledger.recent({ workspaceId, actor, limit }),

    async balance(workspaceId) {
      const operations = await ledger.recent({ workspaceId, limit: latest });
      const told = operations.find(({ balance }) => balance !== undefined);
      return told?.balance === undefined
        ? undefined
        : { amount: told.balance, at: told.endedAt ?? told.createdAt };
    },
  };
}

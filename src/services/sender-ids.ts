import type { Clock } from '../clock.ts';
import { inTime } from '../in-time.ts';
import type { Workspaces } from './workspaces.ts';

export interface KnownSenderIds {
  /** Names of the active ones, in the provider's order. */
  names: string[];
  /** Why the list may be wrong or empty, for the person. */
  note?: string;
}

export interface SenderIds {
  /**
   * The active sender IDs of a workspace, for choosing from. Answers within `patience` whatever the provider does: then
   * with what was known before, or with none, and a note that says so.
   */
  active(workspaceId: string): Promise<KnownSenderIds>;
  /** Forgets what is known, after another key was connected. */
  forget(workspaceId: string): void;
}

const freshFor = 5 * 60_000;
const patience = 1_800;
const pages = 10;
const perPage = 100;
const rememberedWorkspaces = 1_000;

export function createSenderIds(options: { workspaces: Workspaces; clock: Clock }): SenderIds {
  const known = new Map<string, { names: string[]; at: number }>();
  const underWay = new Map<string, Promise<KnownSenderIds>>();

  async function fetchAll(workspaceId: string): Promise<KnownSenderIds> {
    const account = await options.workspaces.account(workspaceId);
    if (account === undefined) {
      return { names: [], note: 'No provider key is connected' };
    }
    const names = new Set<string>();
    for (let page = 0; page < pages; page += 1) {
      const answer = await account.senderIds.list({ status: 'active', page, size: perPage });
      if (answer.kind !== 'accepted') {
        return fallback(workspaceId, 'The provider did not give its list');
      }
      const before = names.size;
      for (const { senderId, status } of answer.value.records) {
        if (status === 'active') {
          names.add(senderId);
        }
      }
      if (answer.value.last || names.size === before) {
        break;
      }
    }
    return { names: [...names] };
  }

  /** Keeps what comes, unless it was forgotten meanwhile: then it is the list of a key that is gone. */
  async function fetchAndKeep(workspaceId: string): Promise<KnownSenderIds> {
    const fetching = fetchAll(workspaceId);
    underWay.set(workspaceId, fetching);
    const isForgotten = () => underWay.get(workspaceId) !== fetching;
    try {
      const answer = await fetching;
      if (answer.note === undefined && !isForgotten()) {
        keep(workspaceId, answer.names);
      }
      return answer;
    } finally {
      if (!isForgotten()) {
        underWay.delete(workspaceId);
      }
    }
  }

  function keep(workspaceId: string, names: string[]): void {
    if (known.size >= rememberedWorkspaces) {
      known.clear();
    }
    known.set(workspaceId, { names, at: options.clock().getTime() });
  }

  function fallback(workspaceId: string, note: string): KnownSenderIds {
    const names = known.get(workspaceId)?.names;
    return names === undefined
      ? { names: [], note: `${note}: type yours` }
      : { names, note: `${note}: shown as last seen` };
  }

  return {
    async active(workspaceId) {
      const last = known.get(workspaceId);
      if (last !== undefined && options.clock().getTime() - last.at < freshFor) {
        return { names: last.names };
      }
      const fetching = underWay.get(workspaceId) ?? fetchAndKeep(workspaceId);
      return inTime(fetching, patience, () => fallback(workspaceId, 'The provider is slow'));
    },

    forget(workspaceId) {
      known.delete(workspaceId);
      underWay.delete(workspaceId);
    },
  };
}

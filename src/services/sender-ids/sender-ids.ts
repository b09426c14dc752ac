import type { Stopwatch } from '../../lib/clock.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import { createAccountListCache, type FetchedList } from '../workspaces/account-list-cache.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

export interface SenderIdChoices {
  /** Names of the active ones, in the provider's order. */
  names: readonly string[];
  /** Why the list may be wrong or empty, for the person. */
  note?: string;
}

export interface SenderIdService {
  /**
   * The active sender IDs of a workspace, for choosing from. Answers soon, whatever the provider does: then
   * with what was known before, or with none, and a note that says so.
   */
  active(workspaceId: string): Promise<SenderIdChoices>;
}

const freshFor = 5 * 60_000;
const pages = 10;
const perPage = 100;

export function createSenderIdService({
  workspaces,
  elapsed,
}: {
  workspaces: Workspaces;
  elapsed: Stopwatch;
}): SenderIdService {
  const lists = createAccountListCache({ fetch: fetchNames, freshFor, elapsed });
  return {
    async active(workspaceId) {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { names: [], note: 'No provider key is connected' };
      }
      const { records, note } = await lists.getWithin(account);
      if (note === undefined) {
        return { names: records };
      }
      return { names: records, note: records.length === 0 ? `${note}: type yours` : note };
    },
  };
}

async function fetchNames({ senderIds }: ProviderAccount): Promise<FetchedList<string>> {
  const names = new Set<string>();
  for (let page = 0; page < pages; page += 1) {
    const answer = await senderIds.list({ status: 'active', page, size: perPage });
    if (answer.kind !== 'accepted') {
      return { failure: 'The provider did not give its list' };
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
  return { records: [...names] };
}

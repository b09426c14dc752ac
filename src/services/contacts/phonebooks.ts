import { z } from 'zod';
import type { ProviderAccount } from '../../provider/client.ts';
import { eachPage } from '../../provider/response/paging.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { Context } from '../context.ts';
import {
  type AccountListCache,
  createAccountListCache,
  type FetchedList,
  gatherList,
} from '../workspaces/account-list-cache.ts';
import { notConnected, type Workspaces } from '../workspaces/workspaces.ts';

/** A phonebook at the provider, with the name that the workspace uses for it. */
export interface NamedPhonebook {
  id: string;
  name: string;
}

type NamePhonebookResult =
  | { kind: 'named'; phonebook: NamedPhonebook }
  /** Sentences to show beside the fields. */
  | { kind: 'refused'; faults: { id?: string; name?: string } };

interface PhonebookChoices {
  phonebooks: readonly ListedPhonebook[];
  /** Why the list may be wrong, cut off or empty, for the user. */
  note?: string | undefined;
}

const choicesTtlMs = 60_000;
const rowSchema = z.object({ name: z.string() });

/** Slack: the maximum of options in a select. */
const maxPhonebooks = 100;
export const maxPhonebookName = 60;

export type PhonebookService = ReturnType<typeof createPhonebookService>;

/**
 * The phonebooks of a workspace, which an admin adds: by their ids, as the API's description has no operation that lists
 * them (API §4.12), or out of the provider's list where the dialect names its path.
 */
export function createPhonebookService(
  { store: { keyv }, audit, dialect, time: { elapsed }, timers }: Context,
  { workspaces }: { workspaces: Workspaces },
) {
  const canChoose = dialect.phonebooksPath !== undefined;
  const lists = createAccountListCache({ fetch: fetchPhonebooks, ttlMs: choicesTtlMs, elapsed, timers });
  /** One row per phonebook, so that concurrent changes of two admins do not overwrite each other. */
  const rows = (workspaceId: string) => keyv(workspaceId, 'phonebooks');

  async function list(workspaceId: string): Promise<NamedPhonebook[]> {
    const named: NamedPhonebook[] = [];
    for await (const [id, value] of rows(workspaceId).iterator()) {
      named.push({ id: String(id), ...rowSchema.parse(value) });
    }
    return named.sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  return {
    /** Returns the phonebooks of the workspace, sorted by name. */
    list,

    /** Whether the provider's list can be asked for: an operation beyond the description. */
    canChoose,

    /**
     * Returns the provider's phonebooks to choose from. Resolves within little more than a second whatever the provider does:
     * then with the last known list, or none, and a note that says so.
     */
    async choices(workspaceId: string): Promise<PhonebookChoices> {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { phonebooks: [], note: notConnected };
      }
      const { records: phonebooks, note } = await lists.getWithin(account);
      const isEmpty = note !== undefined && phonebooks.length === 0;
      return { phonebooks, note: isEmpty ? `${note}: type the ID` : note };
    },

    /** Stores a phonebook if the provider knows its id. An empty name means the provider's own name for it. */
    async name(workspaceId: string, { id: typedId, name }: NamedPhonebook): Promise<NamePhonebookResult> {
      const account = await workspaces.connected(workspaceId);
      const typed = { id: typedId.trim(), name: name.trim() };
      const known = await list(workspaceId);
      const result = await nameOne(account, typed, { known, lists: canChoose ? lists : undefined });
      if (result.kind === 'named') {
        const { phonebook } = result;
        await rows(workspaceId).set(phonebook.id, { name: phonebook.name });
        await recordChange(audit, workspaceId, { action: 'phonebook.add', ...phonebook });
      }
      return result;
    },

    /** Removes it from the workspace. Nothing changes at the provider. */
    async forget(workspaceId: string, id: string): Promise<void> {
      const known = (await list(workspaceId)).find((phonebook) => phonebook.id === id);
      await rows(workspaceId).delete(id);
      await recordChange(audit, workspaceId, { action: 'phonebook.remove', id, name: known?.name });
    },
  };
}

function recordChange(
  audit: AuditService,
  workspaceId: string,
  {
    action,
    id,
    name,
  }: { action: 'phonebook.add' | 'phonebook.remove'; id: string; name: string | undefined },
): Promise<void> {
  const details = name === undefined ? undefined : { name };
  return audit.record({ workspaceId, action, subject: id, outcome: 'done', details });
}

/** Returns a phonebook with the typed name, or the provider's name for its id. `lists` is undefined if it can't list any. */
async function nameOne(
  account: ProviderAccount,
  { id, name: typedName }: NamedPhonebook,
  {
    known,
    lists,
  }: { known: readonly NamedPhonebook[]; lists: AccountListCache<ListedPhonebook> | undefined },
): Promise<NamePhonebookResult> {
  const refused = (faults: { id?: string; name?: string }) => ({ kind: 'refused' as const, faults });
  const others = known.filter((other) => other.id !== id);
  if (others.length === known.length && known.length >= maxPhonebooks) {
    return refused({ id: `Up to ${maxPhonebooks} phonebooks.` });
  }
  const answer = await account.phonebooks.contacts({ phonebookId: id, page: 0, size: 1 });
  if (answer.kind !== 'accepted') {
    const { reason, message } = answer.error;
    return refused({ id: problemsWithId[reason] ?? `The ID could not be checked. ${message}` });
  }
  const named = typedName || (answer.value.phonebook?.name ?? '').trim();
  const listed = named === '' ? await lists?.getWithin(account) : undefined;
  const listedName = listed?.records.find((each) => each.id === id)?.name.trim();
  const name = (named || (listedName ?? '')).slice(0, maxPhonebookName);
  if (name === '') {
    return refused({ name: 'Enter a name.' });
  }
  return others.some((other) => other.name.toLowerCase() === name.toLowerCase())
    ? refused({ name: `There is already a phonebook named ${name}.` })
    : { kind: 'named', phonebook: { id, name } };
}

const problemsWithId: Readonly<Record<string, string>> = {
  not_found: 'No phonebook with this ID at the provider. Copy the ID from the provider’s dashboard.',
  input: 'An ID has no spaces or slashes.',
};

/** A phonebook in the provider's list. */
export interface ListedPhonebook {
  id: string;
  /** Empty where the provider names none. */
  name: string;
  contacts?: number | undefined;
}

const perPage = 100;

/** Returns the provider's list. */
export function fetchPhonebooks({
  phonebooks,
}: Pick<ProviderAccount, 'phonebooks'>): Promise<FetchedList<ListedPhonebook>> {
  const listed = eachPage((query) => phonebooks.list(query), { size: perPage });
  return gatherList(listed, ({ id, name = '', totalContacts }) => [
    id,
    { id, name, contacts: totalContacts },
  ]);
}

import { z } from 'zod';
import { maskPersonal } from '../../lib/redact.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import { eachRecord } from '../../provider/response/paging.ts';
import type { Context } from '../context.ts';
import { createAccountListCache, type FetchedList, gatherList } from '../workspaces/account-list-cache.ts';
import { notConnected } from '../workspaces/not-connected.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** A phonebook at the provider, with the name that the workspace uses for it. */
export interface NamedPhonebook {
  id: string;
  name: string;
}

type NamePhonebookResult =
  | { kind: 'named'; phonebook: NamedPhonebook }
  /** Sentences to show beside the fields. */
  | { kind: 'refused'; faults: { id?: string; name?: string } }
  | { kind: 'not_connected' };

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
  { store: { keyv }, audit: { record }, dialect, time: { elapsed }, timers }: Context,
  { workspaces }: { workspaces: Workspaces },
) {
  const canChoose = dialect.phonebooksPath !== undefined;
  const lists = createAccountListCache({ fetch: fetchPhonebooks, ttlMs: choicesTtlMs, elapsed, timers });
  /** One row per phonebook, so that concurrent changes of two admins do not overwrite each other. */
  const rows = (workspaceId: string) => keyv(workspaceId, 'phonebooks');

  /** Returns the phonebooks of the workspace, sorted by name. */
  async function list(workspaceId: string): Promise<NamedPhonebook[]> {
    const named: NamedPhonebook[] = [];
    for await (const [id, value] of rows(workspaceId).iterator()) {
      named.push({ id: String(id), ...rowSchema.parse(value) });
    }
    return named.sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  /** Returns the name that the provider's list has for a phonebook. */
  async function listedName(account: ProviderAccount, id: string): Promise<string> {
    const { records } = canChoose ? await lists.getWithin(account) : { records: [] };
    return records.find((listed) => listed.id === id)?.name ?? '';
  }

  return {
    list,

    /** Whether the provider's list can be asked for: an operation beyond the description. */
    canChoose,

    /**
     * Returns the provider's phonebooks to choose from. Resolves within little more than a second whatever the provider does:
     * then with the last known list, or none, and a note that says so.
     */
    async choices(
      workspaceId: string,
    ): Promise<{ phonebooks: readonly ListedPhonebook[]; note?: string | undefined }> {
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { phonebooks: [], note: notConnected };
      }
      const { records: phonebooks, note } = await lists.getWithin(account);
      return {
        phonebooks,
        note: note !== undefined && phonebooks.length === 0 ? `${note}: type the ID` : note,
      };
    },

    /** Stores a phonebook if the provider knows its id. An empty name means the provider's own name for it. */
    async name(
      workspaceId: string,
      { id: typedId, name: typedName }: NamedPhonebook,
    ): Promise<NamePhonebookResult> {
      const id = typedId.trim();
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const known = await list(workspaceId);
      if (known.length >= maxPhonebooks && known.every((other) => other.id !== id)) {
        return { kind: 'refused', faults: { id: `Up to ${maxPhonebooks} phonebooks.` } };
      }
      const answer = await account.phonebooks.contacts({ phonebookId: id, page: 0, size: 1 });
      if (answer.kind !== 'accepted') {
        return { kind: 'refused', faults: { id: problemWithId(answer.error) } };
      }
      const given = typedName.trim() || (answer.value.phonebook?.name ?? '').trim();
      const name = (given || (await listedName(account, id)).trim()).slice(0, maxPhonebookName);
      const problem = problemWithName({ id, name }, known);
      if (problem !== undefined) {
        return { kind: 'refused', faults: { name: problem } };
      }
      await rows(workspaceId).set(id, { name });
      const details = { name: maskPersonal(name) };
      await record({ workspaceId, action: 'phonebook.add', subject: id, outcome: 'done', details });
      return { kind: 'named', phonebook: { id, name } };
    },

    /** Removes it from the workspace. Nothing changes at the provider. */
    async forget(workspaceId: string, id: string): Promise<void> {
      const known = (await list(workspaceId)).find((phonebook) => phonebook.id === id);
      await rows(workspaceId).delete(id);
      const details = known && { name: maskPersonal(known.name) };
      await record({ workspaceId, action: 'phonebook.remove', subject: id, outcome: 'done', details });
    },
  };
}

function problemWithName({ id, name }: NamedPhonebook, known: readonly NamedPhonebook[]): string | undefined {
  const isTaken = known.some((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase());
  return name === '' ? 'Enter a name.' : isTaken ? `There is already a phonebook named ${name}.` : undefined;
}

function problemWithId({ reason, message }: { reason: string; message: string }): string {
  switch (reason) {
    case 'not_found':
      return 'No phonebook with this ID at the provider. Copy the ID from the provider’s dashboard.';
    case 'input':
      return 'An ID has no spaces or slashes.';
    default:
      return `The ID could not be checked. ${message}`;
  }
}

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
  const listed = eachRecord((query) => phonebooks.list(query), { size: perPage });
  return gatherList(listed, ({ id, name = '', totalContacts }) => [
    id,
    { id, name, contacts: totalContacts },
  ]);
}

import { namesAmong, resolveNames } from '../../domain/phone/contact-names.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Context } from '../context.ts';
import { ifRefused } from '../refusal.ts';
import type { ContactSearchResult, createContacts } from './contacts.ts';
import type { PhonebookService } from './phonebooks.ts';

/** Recipients with numbers in place of the names among them, and the number that each name stands for. */
export interface NamedRecipients {
  recipients: string;
  numbers: ReadonlyMap<string, PhoneNumber>;
  /** What was not searched, in sentences. */
  remarks: readonly string[];
}

/** Contacts of a phonebook that is searched: the API has no search (§4.12), and each page is a request. */
const most = 1_000;
/** In milliseconds, for all phonebooks together. */
const timeoutMs = 8_000;

/** Recipients by the names that the workspace’s phonebooks have for them. */
export function createContactNames(
  { timers }: Context,
  {
    contacts: { search },
    phonebooks,
  }: { contacts: ReturnType<typeof createContacts>; phonebooks: PhonebookService },
) {
  return {
    /**
     * Replaces the names among recipients by their numbers, within `timeoutMs`. The fault says which name belongs to nobody
     * or to several. Without a phonebook, names stay as they are.
     */
    async resolve(workspaceId: string, recipients: string): Promise<NamedRecipients | { fault: string }> {
      const listed = namesAmong(recipients).length === 0 ? [] : await phonebooks.list(workspaceId);
      if (listed.length === 0) {
        return { recipients, numbers: new Map(), remarks: [] };
      }
      const work = (signal: AbortSignal) =>
        Promise.all(
          listed.map(({ id: phonebookId }) =>
            search(workspaceId, { phonebookId, search: '' }, { signal, most }).catch(
              ifRefused(['not_connected', 'failed'], () => undefined),
            ),
          ),
        );
      const results = await withDeadline(timeoutMs, work, timers);
      const skipped = listed.filter((_, position) => wholeOf(results[position]) === undefined);
      const remarks = skipped.map(
        ({ name }) =>
          `${name} was not searched: it has more than ${most.toLocaleString('en')} contacts, or the provider doesn’t list them.`,
      );
      const known = results.flatMap((each) => wholeOf(each) ?? []);
      const { faults, ...resolved } = resolveNames(recipients, known);
      return faults.length > 0 ? { fault: [...faults, ...remarks].join(' ') } : { ...resolved, remarks };
    },
  };
}

function wholeOf(result: ContactSearchResult | undefined) {
  return result?.isWhole ? result.contacts : undefined;
}

import { findByName, namesAmong, replaceNames } from '../../domain/phone/contact-names.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Context } from '../context.ts';
import type { createContacts } from './contacts.ts';
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
/** Of names that are at fault. */
const maxFaults = 5;

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
     * Replaces the names among recipients, which takes up to `timeoutMs`. The fault, for their field, says which name is
     * that of nobody or of several. Without a phonebook, what is no number stays.
     */
    async resolve(workspaceId: string, recipients: string): Promise<NamedRecipients | { fault: string }> {
      const names = namesAmong(recipients);
      const listed = names.length === 0 ? [] : await phonebooks.list(workspaceId);
      if (listed.length === 0) {
        return { recipients, numbers: new Map(), remarks: [] };
      }
      const work = (signal: AbortSignal) =>
        Promise.all(
          listed.map(({ id: phonebookId }) =>
            search(workspaceId, { phonebookId, search: '' }, { signal, most }),
          ),
        );
      const results = await withDeadline(timeoutMs, work, timers);
      const unread = listed.find((_, position) => results[position]?.kind !== 'searched');
      if (unread !== undefined) {
        return {
          fault: `Names can’t be looked up: the provider didn’t list the contacts of ${unread.name}. Try again, or type the numbers.`,
        };
      }
      const whole = results.map((each) =>
        each.kind === 'searched' && each.isWhole ? each.contacts : undefined,
      );
      const tooLarge = listed.filter((_, position) => whole[position] === undefined).map(({ name }) => name);
      const remarks =
        tooLarge.length === 0
          ? []
          : [`Not searched, with more than ${most.toLocaleString('en')} contacts: ${tooLarge.join(', ')}.`];
      const known = whole.flatMap((contacts = []) => contacts);
      const numbers = new Map<string, PhoneNumber>();
      const faults: string[] = [];
      for (const name of names) {
        const found = findByName(name, known);
        if ('fault' in found) {
          faults.push(found.fault);
        } else {
          numbers.set(name, found.number);
        }
      }
      return faults.length > 0
        ? { fault: [...faults.slice(0, maxFaults), ...remarks].join(' ') }
        : { recipients: replaceNames(recipients, numbers), numbers, remarks };
    },
  };
}

import { findByName, namesAmong, replaceNames } from '../../domain/phone/contact-names.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { withDeadline } from '../../lib/time/timeout.ts';
import type { Context } from '../context.ts';
import { type createContacts, maxWhole } from './contacts.ts';
import type { PhonebookService } from './phonebooks.ts';

/** Recipients with numbers in place of the names among them. */
export interface NamedRecipients {
  recipients: string;
  /** The number that each name stands for. */
  numbers: ReadonlyMap<string, PhoneNumber>;
  /** Which phonebooks were not searched, and why, for the user. */
  note?: string | undefined;
}

interface NameOthers {
  contacts: ReturnType<typeof createContacts>;
  phonebooks: PhonebookService;
}

/** In milliseconds, for all phonebooks together. */
const timeoutMs = 8_000;
/** Of names that are at fault. */
const maxFaults = 5;

/** Recipients by the names that the workspace’s phonebooks have for them. */
export function createContactNames({ timers }: Context, { contacts, phonebooks }: NameOthers) {
  return {
    /**
     * Replaces the names among recipients. The fault, for their field, says which is that of nobody or of several. Without
     * a phonebook, what is no number stays. Takes up to `timeoutMs`.
     */
    async resolve(workspaceId: string, recipients: string): Promise<NamedRecipients | { fault: string }> {
      const names = namesAmong(recipients);
      const listed = names.length === 0 ? [] : await phonebooks.list(workspaceId);
      if (listed.length === 0) {
        return { recipients, numbers: new Map() };
      }
      const read = await withDeadline(
        timeoutMs,
        (signal) => Promise.all(listed.map(({ id }) => contacts.whole(workspaceId, id, { signal }))),
        timers,
      );
      const failed = read.findIndex(({ kind }) => kind === 'failed' || kind === 'not_connected');
      if (failed >= 0) {
        return {
          fault: `Names can’t be looked up now: the provider didn’t list the contacts of ${listed[failed]?.name}. Try again, or type the numbers.`,
        };
      }
      const known = read.flatMap((answer) => (answer.kind === 'whole' ? answer.contacts : []));
      const tooLarge = listed.filter((_, position) => read[position]?.kind === 'too_large');
      const note = tooLarge.length === 0 ? undefined : noteOf(tooLarge.map(({ name }) => name));
      const found = names.map((name) => ({ name, ...findByName(name, known) }));
      const faults = found.flatMap((each) => ('fault' in each ? [each.fault] : []));
      if (faults.length > 0) {
        return { fault: [...faults.slice(0, maxFaults), ...(note === undefined ? [] : [note])].join(' ') };
      }
      const numbers = new Map(found.flatMap((each) => ('fault' in each ? [] : [[each.name, each.number]])));
      return { recipients: replaceNames(recipients, numbers), numbers, note };
    },
  };
}

function noteOf(names: readonly string[]): string {
  const most = maxWhole.toLocaleString('en');
  return `Not searched, with more than ${most} contacts: ${names.join(', ')}.`;
}

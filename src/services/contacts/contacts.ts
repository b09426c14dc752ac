import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { definedFaults } from '../../domain/messages/message-checks.ts';
import { type CountryCode, isCountry } from '../../domain/phone/countries.ts';
import {
  type PhoneNumber,
  phoneNumberSchema,
  splitNumber,
  toDigits,
} from '../../domain/phone/phone-number.ts';
import { findNumber, readTypedNumber } from '../../domain/phone/read-number.ts';
import { expireAfter } from '../../lib/async-cache.ts';
import type { Stopwatch } from '../../lib/time/clock.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Contact, ContactsPage } from '../../provider/phonebooks.ts';
import type { Ending } from '../../store/operations/operation.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { accepted } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { NamedPhonebook } from './phonebooks.ts';

/** A contact as it is shown. */
export interface ListedContact {
  id: string;
  /** Undefined if the provider's entry cannot be read as a number; `written` is that entry. */
  number: PhoneNumber | undefined;
  written: string;
  /** First and last name, if there are any. */
  name: string;
  firstName: string;
  lastName: string;
  company: string;
  emailAddress: string;
  columns: readonly { key: string; value: string }[];
  createdAt?: Date | undefined;
}

interface ContactsQuery {
  phonebookId: string;
  /** Zero-based. */
  page: number;
}

export interface ContactList {
  kind: 'listed';
  contacts: ListedContact[];
  page: Pick<ContactsPage, 'number' | 'totalPages' | 'totalElements' | 'last' | 'unreadable'>;
}

/** A contact, and the zero-based page of the phonebook that it is on. */
type FoundContact = ListedContact & { page: number };

export interface ContactSearchResult {
  kind: 'searched';
  /** The first `maxFound` matches. */
  contacts: FoundContact[];
  /** Total number of matches. */
  found: number;
  /** Number of contacts searched. */
  searched: number;
  /** Contacts that couldn't be searched because the provider's entry is unreadable. */
  unreadable: number;
  /** Whether these are all contacts in the phonebook. */
  isWhole: boolean;
}

interface SearchOptions {
  /** A phonebook with more contacts is not searched to its end. All that are found are returned then. */
  most?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the number of contacts searched. */
  progress?: ((searched: number, total: number | undefined) => void) | undefined;
}

/** What the ledger stores of a change to one contact: the phonebook's name and the masked number. */
export const contactSummarySchema = z.object({ phonebook: z.string(), number: z.string() });

/** Who asks for a change, and the key under which it happens once. */
export interface ChangeContactRequest {
  workspaceId: string;
  userId: string;
  key: string;
  phonebook: NamedPhonebook;
}

const perPage = 50;
const maxPages = 100;
const maxFound = 100;
const maxCachedResults = 20;
const resultTtlMs = 60_000;

/** The contacts of a phonebook (API §4.12). */
export function createContacts(
  { broadcast, time: { elapsed } }: Context,
  { workspaces, operations }: { workspaces: Workspaces; operations: Operations },
) {
  const contactSearch = createContactSearch({ elapsed, workspaces });
  broadcast.on('contacts', contactSearch.forget);

  /** Performs a change, once for its key. */
  function change(
    { workspaceId, userId, key, phonebook }: ChangeContactRequest,
    { kind, number }: { kind: 'contact.add' | 'contact.delete'; number: PhoneNumber | undefined },
    call: (account: ProviderAccount) => Promise<Ending>,
  ): Promise<SpendResult> {
    const summary = { phonebook: phonebook.name, number: number ?? '' };
    const numbers = number === undefined ? undefined : [number];
    const intent = { workspaceId, key, kind, userId, summary, numbers };
    return operations.spend({ ...intent, usage: { kind: 'free' } }, call).finally(() => {
      contactSearch.forget();
      broadcast.send('contacts', workspaceId);
    });
  }

  return {
    /** Returns one page of contacts. */
    list: (workspaceId: string, query: ContactsQuery) => listContacts(workspaces, workspaceId, query),

    search: contactSearch.search,

    add(request: ChangeContactRequest & { contact: ContactForm }) {
      const { number, ...details } = request.contact;
      return change(request, { kind: 'contact.add', number }, async ({ phonebooks }) => {
        // API §4.12: a country code goes with the number without the country's prefix. Some countries' numbers keep a leading
        // zero there, which the API does not describe: those are sent in international format.
        const { countryCode, national } = splitNumber(number);
        const written = national.startsWith('0')
          ? { phoneNumber: toDigits(number) }
          : { phoneNumber: national, countryCode };
        const contact = { phonebookId: request.phonebook.id, ...written, ...details };
        return toEnding(await phonebooks.addContact(contact), ({ id }) => ({ providerId: id }));
      });
    },

    delete(request: ChangeContactRequest & { contact: { id: string; number: PhoneNumber | undefined } }) {
      const { id, number } = request.contact;
      return change(request, { kind: 'contact.delete', number }, async ({ phonebooks }) => {
        const deletion = { phonebookId: request.phonebook.id, contactId: id };
        return toEnding(await phonebooks.deleteContact(deletion), () => ({ providerId: id }));
      });
    },
  };
}

function createContactSearch({ elapsed, workspaces }: { elapsed: Stopwatch; workspaces: Workspaces }) {
  const results = new LRUCache<string, ContactSearchResult>({
    max: maxCachedResults,
    ...expireAfter({ ms: resultTtlMs, elapsed }),
  });
  let generation = 0;

  return {
    /** Called when contacts change: the next search asks the provider. */
    forget(): void {
      generation += 1;
    },

    /**
     * Searches a phonebook page by page, up to `maxPages`: the API has no search (§4.12). A result is cached for a minute, so
     * that the way back to it costs no request.
     */
    async search(
      workspaceId: string,
      { phonebookId, search }: { phonebookId: string; search: string },
      options: SearchOptions = {},
    ): Promise<ContactSearchResult> {
      const key = JSON.stringify([generation, workspaceId, phonebookId, search, options.most]);
      const cached = results.get(key);
      if (cached !== undefined) {
        return cached;
      }
      const { signal } = options;
      // A search under way is not shared: it ends when the one who began it no longer looks.
      const read = (page: number) => listContacts(workspaces, workspaceId, { phonebookId, page }, { signal });
      const result = await searchPages(read, search, options);
      results.set(key, result);
      return result;
    },
  };
}

async function listContacts(
  workspaces: Workspaces,
  workspaceId: string,
  { phonebookId, page }: ContactsQuery,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ContactList> {
  const query = { phonebookId, page, size: perPage };
  const { phonebooks } = await workspaces.connected(workspaceId);
  const { records, ...rest } = accepted(
    await phonebooks.contacts(query, signal === undefined ? {} : { signal }),
  );
  const { country } = await workspaces.defaults(workspaceId);
  return { kind: 'listed', contacts: records.map((contact) => shown(contact, country)), page: rest };
}

async function searchPages(
  read: (page: number) => Promise<ContactList>,
  search: string,
  { progress, most = Number.POSITIVE_INFINITY }: SearchOptions,
): Promise<ContactSearchResult> {
  const contacts: FoundContact[] = [];
  const shown = Number.isFinite(most) ? most : maxFound;
  let found = 0;
  let searched = 0;
  let unreadable = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await read(page);
    const { number, last, totalElements } = answer.page;
    // A provider that repeats a page has reached its end.
    const records = number < page ? [] : answer.contacts;
    const matches = filterContacts(records, search);
    found += matches.length;
    searched += records.length;
    const leftOut = number < page ? 0 : answer.page.unreadable.length;
    unreadable += leftOut;
    contacts.push(...matches.slice(0, shown - contacts.length).map((contact) => ({ ...contact, page })));
    const isTooLarge = Math.max(searched, totalElements ?? 0) > most;
    if (last || records.length + leftOut === 0 || isTooLarge) {
      return { kind: 'searched', contacts, found, searched, unreadable, isWhole: !isTooLarge };
    }
    progress?.(searched, totalElements);
  }
  return { kind: 'searched', contacts, found, searched, unreadable, isWhole: false };
}

/** Returns the contacts that contain the search text in a name, any other detail or the number. */
function filterContacts(contacts: readonly ListedContact[], search: string): ListedContact[] {
  const wanted = search.trim().toLowerCase();
  const digits = /^[+\d\s()-]+$/.test(wanted) ? wanted.replace(/\D/g, '').replace(/^0+/, '') : '';
  return contacts.filter(({ name, company, emailAddress, columns, number = '', written }) => {
    const texts = [name, company, emailAddress, written, ...columns.map(({ value }) => value)];
    return (
      texts.some((text) => text.toLowerCase().includes(wanted)) ||
      (digits !== '' && String(number).includes(digits))
    );
  });
}

function shown(contact: Contact, country: CountryCode): ListedContact {
  const { id, firstName = '', lastName = '', company = '', emailAddress = '', columns, createdAt } = contact;
  const written = contact.phoneNumber ?? '';
  const name = `${firstName} ${lastName}`.trim();
  // The provider's lists mostly have numbers in international format (API §2.6).
  const number =
    phoneNumberSchema.safeParse(`+${written.replace(/\D/g, '')}`).data ?? findNumber(written, country);
  return { id, name, firstName, lastName, company, emailAddress, columns, createdAt, written, number };
}

/** A contact as typed into the form. */
export interface TypedContact {
  number: string;
  /** The country of a number that is typed without one. */
  country: string;
  firstName: string;
  lastName: string;
  company: string;
  emailAddress: string;
}

export interface ContactForm {
  number: PhoneNumber;
  firstName?: string;
  lastName?: string;
  company?: string;
  emailAddress?: string;
}

export type ReadContactForm =
  | { ok: true; contact: ContactForm }
  | { ok: false; faults: Partial<Record<keyof TypedContact, string>> };

/** Reads the whole form. Each fault is a sentence to show beside its field. */
export function readContactForm(typed: TypedContact): ReadContactForm {
  const country = isCountry(typed.country) ? typed.country : undefined;
  const number = country === undefined ? undefined : readTypedNumber(typed.number, country);
  const emailAddress = typed.emailAddress.trim();
  const badEmail = emailAddress !== '' && !z.email().safeParse(emailAddress).success;
  if (number?.ok !== true || badEmail) {
    const faults = definedFaults({
      country: country === undefined ? 'Choose a country.' : undefined,
      number: number?.ok === false ? (number.fault ?? 'Enter a phone number.') : undefined,
      emailAddress: badEmail ? 'This is not an email address.' : undefined,
    });
    return { ok: false, faults };
  }
  const details = Object.entries({
    firstName: typed.firstName.trim(),
    lastName: typed.lastName.trim(),
    company: typed.company.trim(),
    emailAddress,
  }).filter(([, value]) => value !== '');
  return { ok: true, contact: { number: number.number, ...Object.fromEntries(details) } };
}

import { z } from 'zod';
import type { CountryCode } from '../../domain/phone/countries.ts';
import {
  maskNumber,
  type PhoneNumber,
  phoneNumberSchema,
  splitNumber,
  toDigits,
} from '../../domain/phone/phone-number.ts';
import { findNumber } from '../../domain/phone/read-number.ts';
import type { ProviderError } from '../../provider/errors.ts';
import type { Contact, ContactsPage } from '../../provider/phonebooks.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { ContactForm } from './contact-form.ts';
import { createContactSearch, type SearchContacts } from './contact-search.ts';
import type { NamedPhonebook } from './phonebooks.ts';

/** A contact as it is shown. */
export interface ListedContact {
  id: string;
  /** Undefined if the provider's entry cannot be read as a number; `written` is that entry. */
  number: PhoneNumber | undefined;
  written: string;
  /** First and last name, if there are any. */
  name: string;
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

export type ContactList =
  | {
      kind: 'listed';
      contacts: ListedContact[];
      page: Pick<ContactsPage, 'number' | 'totalPages' | 'totalElements' | 'last'>;
    }
  | { kind: 'failed'; error: ProviderError }
  | { kind: 'not_connected' };

/** What the ledger keeps of a change to one contact: the phonebook's name and the masked number. */
export const contactSummarySchema = z.object({ phonebook: z.string(), number: z.string() });

/** Who asks for a change, and the key under which it happens once. */
export interface ChangeContactRequest {
  workspaceId: string;
  userId: string;
  key: string;
  phonebook: NamedPhonebook;
}

/** The contacts of a phonebook (API §4.12). */
export interface Contacts {
  /** Returns one page of contacts. */
  list(
    workspaceId: string,
    query: ContactsQuery,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<ContactList>;
  search: SearchContacts;
  add(request: ChangeContactRequest & { contact: ContactForm }): Promise<SpendResult>;
  delete(
    request: ChangeContactRequest & { contact: { id: string; number: PhoneNumber | undefined } },
  ): Promise<SpendResult>;
}

const perPage = 50;

export function createContacts(
  { broadcast, time: { elapsed } }: Context,
  { workspaces, operations }: { workspaces: Workspaces; operations: Operations },
): Contacts {
  const list: Contacts['list'] = async (workspaceId, { phonebookId, page }, options = {}) => {
    const account = await workspaces.account(workspaceId);
    if (account === undefined) {
      return { kind: 'not_connected' };
    }
    const query = { phonebookId, page, size: perPage };
    const answer = await account.phonebooks.contacts(
      query,
      options.signal === undefined ? {} : { signal: options.signal },
    );
    if (answer.kind !== 'accepted') {
      return { kind: 'failed', error: answer.error };
    }
    const { country } = await workspaces.defaults(workspaceId);
    const { records, ...rest } = answer.value;
    return {
      kind: 'listed',
      contacts: records.map((contact) => {
        const written = contact.phoneNumber ?? '';
        return { ...shown(contact), written, number: readListed(written, country) };
      }),
      page: rest,
    };
  };
  const contactSearch = createContactSearch({ list, elapsed });
  broadcast.on('contacts', contactSearch.forget);

  function changed(workspaceId: string): void {
    contactSearch.forget();
    broadcast.send('contacts', workspaceId);
  }

  return {
    list,
    search: contactSearch.search,

    async add({ workspaceId, userId, key, phonebook, contact }) {
      const { number, ...details } = contact;
      const intent = {
        workspaceId,
        key,
        kind: 'contact.add',
        userId,
        summary: { phonebook: phonebook.name, number: maskNumber(number) },
        numbers: [number],
      };
      return operations
        .spend({ ...intent, usage: { kind: 'free' } }, async (account) =>
          toEnding(
            await account.phonebooks.addContact({
              phonebookId: phonebook.id,
              ...splitCountryCode(number),
              ...details,
            }),
            ({ id }) => ({ providerId: id }),
          ),
        )
        .finally(() => changed(workspaceId));
    },

    async delete({ workspaceId, userId, key, phonebook, contact }) {
      const { number } = contact;
      const intent = {
        workspaceId,
        key,
        kind: 'contact.delete',
        userId,
        summary: { phonebook: phonebook.name, number: number === undefined ? '' : maskNumber(number) },
        numbers: number === undefined ? undefined : [number],
      };
      return operations
        .spend({ ...intent, usage: { kind: 'free' } }, async (account) =>
          toEnding(
            await account.phonebooks.deleteContact({ phonebookId: phonebook.id, contactId: contact.id }),
            () => ({ providerId: contact.id }),
          ),
        )
        .finally(() => changed(workspaceId));
    },
  };
}

function shown({
  id,
  firstName = '',
  lastName = '',
  company = '',
  emailAddress = '',
  columns,
  createdAt,
}: Contact) {
  return {
    id,
    name: `${firstName} ${lastName}`.trim(),
    company,
    emailAddress,
    columns,
    createdAt,
  };
}

/**
 * API §4.12: a country code goes with the number without the country's prefix. Some countries' numbers keep a leading
 * zero there, which the API does not describe: those are sent in international format.
 */
function splitCountryCode(number: PhoneNumber): { phoneNumber: string; countryCode?: string } {
  const { countryCode, national } = splitNumber(number);
  return national.startsWith('0')
    ? { phoneNumber: toDigits(number) }
    : { phoneNumber: national, countryCode };
}

/** The provider's lists mostly have numbers in international format (API §2.6). */
function readListed(written: string, country: CountryCode): PhoneNumber | undefined {
  return phoneNumberSchema.safeParse(`+${written.replace(/\D/g, '')}`).data ?? findNumber(written, country);
}

import { z } from 'zod';
import {
  omitUndefined,
  optionalCount,
  optionalInstant,
  optionalText,
  record,
  text,
} from '../response/fields.ts';
import { type Page, type PageQuery, page } from '../response/paging.ts';

/** A person in a phonebook (API §2.6). */
export interface Contact {
  readonly id: string;
  readonly phonebookId?: string | undefined;
  /** In international format, in listings. */
  readonly phoneNumber?: string | undefined;
  /** The other columns of the contact's row. */
  readonly columns: readonly ContactColumn[];
  readonly emailAddress?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly company?: string | undefined;
  readonly createdAt?: Date | undefined;
  readonly updatedAt?: Date | undefined;
  readonly raw: unknown;
}

export interface ContactColumn {
  readonly key: string;
  readonly value: string;
}

/** A list of contacts (API §2.5). */
export interface Phonebook {
  readonly id: string;
  readonly applicationId?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly createdAt?: Date | undefined;
  readonly totalContacts?: number | undefined;
  readonly totalCampaigns?: number | undefined;
  readonly raw: unknown;
}

/** One page of a phonebook's contacts (API §4.12). `raw` is the whole response. */
export interface ContactsPage extends Page<Contact> {
  /** The names of the columns. */
  readonly headers: readonly string[];
  readonly phonebook?: Phonebook | undefined;
}

/** The path of a phonebook's contacts. */
export function contactsPath(phonebookId: string): string {
  return `/api/phonebooks/${encodeURIComponent(phonebookId)}/contacts`;
}

const column = z
  .object({ key: text, value: optionalText })
  .transform(({ key, value = '' }) => ({ key, value }));

const contactFields = {
  id: text,
  pid: optionalText,
  phone_number: optionalText,
  contact_list_key_value: z.array(column).catch([]),
  email_address: optionalText,
  first_name: optionalText,
  last_name: optionalText,
  company: optionalText,
  created_at: optionalInstant,
  updated_at: optionalInstant,
};

export const contact: z.ZodType<Contact> = record(contactFields, (read) =>
  omitUndefined({
    id: read.id,
    phonebookId: read.pid,
    phoneNumber: read.phone_number,
    columns: read.contact_list_key_value,
    emailAddress: read.email_address,
    firstName: read.first_name,
    lastName: read.last_name,
    company: read.company,
    createdAt: read.created_at,
    updatedAt: read.updated_at,
  }),
);

const phonebookFields = {
  id: optionalText,
  applicationId: optionalText,
  phonebook_name: optionalText,
  description: optionalText,
  createdAt: optionalInstant,
  total_contact: optionalCount,
  total_campaign: optionalCount,
};

/** Only the contacts are required. */
export function contactsPage(asked: PageQuery & { readonly phonebookId: string }): z.ZodType<ContactsPage> {
  const phonebook = record(phonebookFields, ({ id = asked.phonebookId, ...read }) =>
    omitUndefined({
      id,
      applicationId: read.applicationId,
      name: read.phonebook_name,
      description: read.description,
      createdAt: read.createdAt,
      totalContacts: read.total_contact,
      totalCampaigns: read.total_campaign,
    }),
  );
  const answer = {
    headers: z.array(z.string()).catch([]),
    phonebook: phonebook.optional().catch(undefined),
    data: page(contact, asked),
  };
  return record(answer, ({ headers, phonebook, data }) => ({
    ...data,
    ...omitUndefined({ headers, phonebook }),
  }));
}

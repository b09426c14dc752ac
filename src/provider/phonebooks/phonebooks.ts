import { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import type { Outcome } from '../errors.ts';
import { eachRecord } from '../request/each-record.ts';
import { callingCode, nonEmptyText, pathId } from '../request/input-fields.ts';
import { phoneNumber } from '../request/recipients.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { omitUndefined, record } from '../response/fields.ts';
import { type Page, type PageQuery, pageParameters, pageQuery } from '../response/paging.ts';
import { type ContactDeleted, type ContactDeletion, deleteContactOperation } from './contact-deletion.ts';
import {
  type Contact,
  type ContactsPage,
  contact,
  contactsPage,
  contactsPath,
  type Phonebook,
} from './contacts.ts';
import { type ContactsUpload, type ContactsUploadAccepted, upload } from './contacts-upload.ts';
import { listOperation } from './phonebook-list.ts';

/** A phonebook, and which page of its contacts (API §4.12). */
export interface ContactsQuery extends PageQuery {
  readonly phonebookId: string;
}

/** A contact to add (API §4.12). */
export interface NewContact {
  readonly phonebookId: string;
  /** In international format, or without the country's prefix if `countryCode` is set. */
  readonly phoneNumber: string;
  /** The country's calling code, such as `234`. */
  readonly countryCode?: string | undefined;
  readonly emailAddress?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly company?: string | undefined;
}

export interface PhonebookOperations {
  /** One page of the account's phonebooks. Beyond the description; ends as `not_configured` unless the dialect names the path. */
  list(query?: PageQuery, options?: RequestOptions): Promise<Outcome<Page<Phonebook>>>;
  /** One page of a phonebook's contacts. */
  contacts(query: ContactsQuery, options?: RequestOptions): Promise<Outcome<ContactsPage>>;
  /** Iterates over all pages. Throws a `ProviderFailure` where a page is not accepted. */
  allContacts(query: ContactsQuery, options?: RequestOptions): AsyncGenerator<Contact, void, undefined>;
  addContact(contact: NewContact, options?: RequestOptions): Promise<Outcome<Contact>>;
  upload(upload: ContactsUpload, options?: RequestOptions): Promise<Outcome<ContactsUploadAccepted>>;
  /** Ends as `not_configured` unless the dialect says how a contact is named. */
  deleteContact(deletion: ContactDeletion, options?: RequestOptions): Promise<Outcome<ContactDeleted>>;
}

export function createPhonebookOperations(request: RequestSender, dialect: Dialect): PhonebookOperations {
  const deleteContact = deleteContactOperation(dialect);
  const list = listOperation(dialect);
  return {
    list: (query = {}, options) => request(list, query, options),
    contacts: (query, options) => request(contacts, query, options),
    allContacts: (query, options) => eachRecord((page) => request(contacts, page, options), query),
    addContact: (contact, options) => request(addContact, contact, options),
    upload: (file, options) => request(upload, file, options),
    deleteContact: (deletion, options) => request(deleteContact, deletion, options),
  };
}

const contactsInput = z.object({ phonebookId: pathId, ...pageQuery });

const contacts: ProviderOperation<z.output<typeof contactsInput>, ContactsPage> = {
  name: 'phonebooks.contacts',
  input: contactsInput,
  request: ({ phonebookId, ...page }) => ({
    method: 'GET',
    path: contactsPath(phonebookId),
    query: pageParameters(page),
  }),
  expect: (asked) => ({ answer: contactsPage(asked) }),
};

const contactDetails = {
  emailAddress: z
    .string('must be text')
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
    .optional(),
  firstName: nonEmptyText.optional(),
  lastName: nonEmptyText.optional(),
  company: nonEmptyText.optional(),
};

const addContactInput = z
  .object({
    phonebookId: pathId,
    phoneNumber: z.string('must be text'),
    countryCode: callingCode.optional(),
    ...contactDetails,
  })
  .superRefine((given, context) => {
    const schema = given.countryCode === undefined ? phoneNumber : nationalNumber;
    for (const { message } of schema.safeParse(given.phoneNumber).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['phoneNumber'], message });
    }
  });

const nationalNumber = z
  .string()
  .regex(/^[1-9]\d{3,13}$/, 'must be 4 to 14 digits without the country’s prefix, a leading 0, + or spaces');

const addContact: ProviderOperation<z.output<typeof addContactInput>, Contact> = {
  name: 'phonebooks.addContact',
  input: addContactInput,
  request: ({ phonebookId, phoneNumber, countryCode, emailAddress, firstName, lastName, company }) => ({
    method: 'POST',
    path: contactsPath(phonebookId),
    json: omitUndefined({
      phone_number: phoneNumber,
      country_code: countryCode,
      email_address: emailAddress,
      first_name: firstName,
      last_name: lastName,
      company,
    }),
  }),
  expect: () => ({ answer: addedContact }),
};

/** The response's only key marks success (API §4.12). */
const added = 'Contact added successfully';
const addedContact: z.ZodType<Contact> = record({ [added]: contact }, (answer) => answer[added]);

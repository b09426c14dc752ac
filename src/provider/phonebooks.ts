import { z } from 'zod';
import type { Caller, CallOptions, Operation } from './call.ts';
import { type Contact, type ContactsPage, contact, contactsPage } from './contacts.ts';
import type { Dialect } from './dialect.ts';
import { eachRecord } from './each-record.ts';
import { optionalPart, optionalText, present, record, text } from './fields.ts';
import { pathId, someText } from './inputs.ts';
import { phoneNumber } from './numbers.ts';
import type { Outcome } from './outcome.ts';
import { type PageQuery, pageParameters, pageQuery } from './paging.ts';

/** Whose contacts, and which page of them (API §4.12). */
export interface ContactsQuery extends PageQuery {
  readonly phonebookId: string;
}

/** A contact to be added (API §4.12). */
export interface NewContact {
  readonly phonebookId: string;
  /** In international format; where `countryCode` is given, without the country's prefix. */
  readonly phoneNumber: string;
  /** The country's calling code, such as `234`. */
  readonly countryCode?: string;
  readonly emailAddress?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
}

/** Contacts to be added from a CSV file (API §4.12). */
export interface ContactsUpload {
  readonly phonebookId: string;
  /** The CSV itself. It goes out as it is. */
  readonly file: string | Uint8Array;
  /** What the provider is told that the file is called. Default `contacts.csv`. */
  readonly fileName?: string;
  /** The calling code of the numbers' country, such as `234`. */
  readonly countryCode: string;
}

/** The provider took the file. The contacts appear in the phonebook minutes later. */
export interface UploadTaken {
  readonly message: string;
  readonly raw: unknown;
}

export interface ContactDeletion {
  readonly phonebookId: string;
  readonly contactId: string;
}

export interface ContactDeleted {
  readonly message?: string;
  readonly data?: { readonly message?: string };
  readonly raw: unknown;
}

export interface Phonebooks {
  /** One page of a phonebook's contacts. */
  contacts(query: ContactsQuery, options?: CallOptions): Promise<Outcome<ContactsPage>>;
  /** All of them, page after page; throws a `ProviderFailure` where a page is not accepted. */
  allContacts(query: ContactsQuery, options?: CallOptions): AsyncGenerator<Contact, void, undefined>;
  addContact(contact: NewContact, options?: CallOptions): Promise<Outcome<Contact>>;
  upload(upload: ContactsUpload, options?: CallOptions): Promise<Outcome<UploadTaken>>;
  /** Refused unless the dialect says how a contact is named. */
  deleteContact(deletion: ContactDeletion, options?: CallOptions): Promise<Outcome<ContactDeleted>>;
}

export function createPhonebooks(call: Caller, dialect: Dialect): Phonebooks {
  const deleteContact = deleteContactOperation(dialect);
  return {
    contacts: (query, options) => call(contacts, query, options),
    allContacts: (query, options) => eachRecord((asked) => call(contacts, asked, options), query),
    addContact: (contact, options) => call(addContact, contact, options),
    upload: (file, options) => call(upload, file, options),
    deleteContact: (deletion, options) => call(deleteContact, deletion, options),
  };
}

function contactsPath(phonebookId: string): string {
  return `/api/phonebooks/${encodeURIComponent(phonebookId)}/contacts`;
}

const contactsInput = z.object({ phonebookId: pathId, ...pageQuery });

const contacts: Operation<z.output<typeof contactsInput>, ContactsPage> = {
  name: 'phonebooks.contacts',
  input: contactsInput,
  request: ({ phonebookId, ...asked }) => ({
    method: 'GET',
    path: contactsPath(phonebookId),
    query: pageParameters(asked),
  }),
  expect: (asked) => ({ answer: contactsPage(asked) }),
};

const callingCode = z
  .string('must be text')
  .regex(/^[1-9]\d{0,2}$/, 'must be the calling code of a country, as digits without +');

const contactDetails = {
  emailAddress: z
    .string('must be text')
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
    .optional(),
  firstName: someText.optional(),
  lastName: someText.optional(),
  company: someText.optional(),
};

const addContactInput = z
  .object({
    phonebookId: pathId,
    phoneNumber: z.string('must be text'),
    countryCode: callingCode.optional(),
    ...contactDetails,
  })
  .superRefine((given, context) => {
    const form = given.countryCode === undefined ? phoneNumber : nationalNumber;
    for (const { message } of form.safeParse(given.phoneNumber).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['phoneNumber'], message });
    }
  });

const nationalNumber = z
  .string()
  .regex(/^[1-9]\d{3,13}$/, 'must be 4 to 14 digits without the country’s prefix, a leading 0, + or spaces');

const addContact: Operation<z.output<typeof addContactInput>, Contact> = {
  name: 'phonebooks.addContact',
  input: addContactInput,
  request: ({ phonebookId, phoneNumber, countryCode, emailAddress, firstName, lastName, company }) => ({
    method: 'POST',
    path: contactsPath(phonebookId),
    json: present({
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

/** The answer's one key is its marker of success (API §4.12). */
const added = 'Contact added successfully';
const addedContact: z.ZodType<Contact> = record({ [added]: contact }, (answer) => answer[added]);

const uploadInput = z.object({
  phonebookId: pathId,
  file: z
    .union([z.string(), z.instanceof(Uint8Array)], 'must be text or bytes')
    .transform((content) => new Blob([content]))
    .refine(({ size }) => size > 0, 'must not be empty'),
  fileName: someText.default('contacts.csv'),
  countryCode: callingCode,
});

const upload: Operation<z.output<typeof uploadInput>, UploadTaken> = {
  name: 'phonebooks.upload',
  input: uploadInput,
  request: ({ phonebookId, file, fileName, countryCode }) => ({
    method: 'POST',
    path: '/api/phonebooks/contacts/upload',
    upload: {
      file: new File([file], fileName, { type: 'text/csv' }),
      contact: { pid: phonebookId, country_code: countryCode },
    },
  }),
  expect: () => ({ answer: record({ message: text }, ({ message }) => ({ message })) }),
};

const deleteInput = z.object({ phonebookId: pathId, contactId: pathId });

function deleteContactOperation({
  contactDeleteBy,
}: Dialect): Operation<z.output<typeof deleteInput>, ContactDeleted> {
  const naming = readNaming(contactDeleteBy);
  return {
    name: 'phonebooks.deleteContact',
    input: deleteInput,
    unavailable: () =>
      naming === undefined
        ? 'Deleting a contact needs PROVIDER_CONTACT_DELETE_BY, how the provider wants to be told which one: ' +
          'path, query:NAME or body:NAME.'
        : undefined,
    // A delete that names no contact may empty the phonebook. Each of these names one, and an id is never empty.
    request: ({ phonebookId, contactId }) => {
      const path = contactsPath(phonebookId);
      switch (naming?.place) {
        case 'query':
          return { method: 'DELETE', path, query: { [naming.name]: contactId } };
        case 'body':
          return { method: 'DELETE', path, json: { [naming.name]: contactId } };
        default:
          return { method: 'DELETE', path: `${path}/${encodeURIComponent(contactId)}`, query: {} };
      }
    },
    expect: () => ({ answer: deletedContact }),
  };
}

/** `undefined` where the setting is not made, or names what already has a meaning: the key would take its place. */
function readNaming(setting = ''): { place: string; name: string } | undefined {
  if (setting === 'path') return { place: 'path', name: '' };
  const [, place, name] = /^(query|body):([A-Za-z_]\w*)$/.exec(setting) ?? [];
  return place === undefined || name === undefined || name === 'api_key' ? undefined : { place, name };
}

/** Success is a `status` of `success` (API §7). An older shape has nothing but the message that it was deleted. */
const successful = z.union([
  z.looseObject({ status: z.string().regex(/^success$/i) }),
  z.looseObject({ status: z.null().optional(), message: z.string().regex(/\bdeleted successfully\b/i) }),
]);

const deletedContact: z.ZodType<ContactDeleted> = record(
  { message: optionalText, data: optionalPart({ message: optionalText }) },
  ({ message, data }) => present({ message, data }),
).refine(({ raw }) => successful.safeParse(raw).success, { path: ['status'] });

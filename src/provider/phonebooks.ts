import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { callingCode, nonEmptyText, pathId, phoneNumber } from './request/input-fields.ts';
import {
  defineOperation,
  offWithout,
  type RequestOptions,
  type RequestSender,
} from './request/request-sender.ts';
import {
  omitUndefined,
  optionalCount,
  optionalInstant,
  optionalObject,
  optionalText,
  record,
  sentAs,
  text,
} from './response/fields.ts';
import { eachPage, type PageQuery, page, pageParameters, pageQuery } from './response/paging.ts';

export function createPhonebookOperations(request: RequestSender, dialect: Dialect) {
  const deleteContact = deleteContactOperation(dialect);
  const list = listOperation(dialect);
  return {
    /** Lists one page of phonebooks. Beyond the description; ends as `not_configured` unless the dialect names the path. */
    list: (query: PageQuery = {}, options?: RequestOptions) => request(list, query, options),
    /** One page of a phonebook's contacts. */
    contacts: (query: ContactsQuery, options?: RequestOptions) => request(contacts, query, options),
    /** Iterates over all pages. Throws a `ProviderFailure` where a page is not accepted. */
    allContacts: (query: ContactsQuery, options?: RequestOptions) =>
      eachPage((page: ContactsQuery) => request(contacts, page, options), query),
    addContact: (contact: NewContact, options?: RequestOptions) => request(addContact, contact, options),
    upload: (file: ContactsUpload, options?: RequestOptions) => request(upload, file, options),
    /** Ends as `not_configured` unless the dialect says how a contact is named. */
    deleteContact: (deletion: ContactDeletion, options?: RequestOptions) =>
      request(deleteContact, deletion, options),
  };
}

/** A list of contacts (API §2.5). */
const phonebook = record({
  id: optionalText,
  applicationId: optionalText,
  name: sentAs('phonebook_name', optionalText),
  description: optionalText,
  createdAt: optionalInstant,
  totalContacts: sentAs('total_contact', optionalCount),
  totalCampaigns: sentAs('total_campaign', optionalCount),
});
export type Phonebook = z.output<typeof phonebook> & { readonly id: string };

const listInput = z.object(pageQuery);

/** Beyond the description: public pages of such a provider show it. */
function listOperation({ phonebooksPath }: Dialect) {
  return defineOperation({
    name: 'phonebooks.list',
    input: listInput,
    unavailable: () => offWithout(phonebooksPath, 'phonebooksPath', 'Listing phonebooks is'),
    request: (query) => ({ method: 'GET', path: phonebooksPath ?? '', query: pageParameters(query) }),
    expect: (asked) => ({ answer: page(listedPhonebook, asked) }),
  });
}

/** The fields have other names than in the answer with a phonebook's contacts (API §2.5). Both are read. */
const listedPhonebook = record({
  id: text,
  name: optionalText,
  phonebook_name: optionalText,
  total_number_of_contacts: optionalCount,
  total_contact: optionalCount,
  date_created: optionalInstant,
  createdAt: optionalInstant,
}).transform(
  ({ id, raw, ...read }): Phonebook => ({
    id,
    ...omitUndefined({
      name: read.name ?? read.phonebook_name,
      totalContacts: read.total_number_of_contacts ?? read.total_contact,
      createdAt: read.date_created ?? read.createdAt,
    }),
    raw,
  }),
);

const contactsInput = z.object({ phonebookId: pathId, ...pageQuery });

/** A phonebook, and which page of its contacts (API §4.12). */
export type ContactsQuery = z.input<typeof contactsInput>;

const column = z
  .object({ key: text, value: optionalText })
  .transform(({ key, value = '' }) => ({ key, value }));

/** A person in a phonebook (API §2.6). */
const contact = record({
  id: text,
  phonebookId: sentAs('pid', optionalText),
  /** In international format, in listings. */
  phoneNumber: sentAs('phone_number', optionalText),
  /** The other columns of the contact's row. */
  columns: sentAs('contact_list_key_value', z.array(column).catch([])),
  emailAddress: sentAs('email_address', optionalText),
  firstName: sentAs('first_name', optionalText),
  lastName: sentAs('last_name', optionalText),
  company: optionalText,
  createdAt: sentAs('created_at', optionalInstant),
  updatedAt: sentAs('updated_at', optionalInstant),
});
export type Contact = z.output<typeof contact>;

/** One page of a phonebook's contacts (API §4.12). `raw` is the whole response. */
export type ContactsPage = z.output<ReturnType<typeof contactsPage>>;

/** Only the contacts are required. */
function contactsPage(asked: ContactsQuery) {
  return record({
    headers: z.array(z.string()).catch([]),
    phonebook: phonebook.optional().catch(undefined),
    data: page(contact, asked),
  }).transform(({ headers, phonebook, data, raw }) => ({
    ...data,
    /** The names of the columns. */
    headers,
    ...(phonebook && { phonebook: { id: asked.phonebookId, ...phonebook } }),
    raw,
  }));
}

const contacts = defineOperation({
  name: 'phonebooks.contacts',
  input: contactsInput,
  request: ({ phonebookId, ...page }) => ({
    method: 'GET',
    path: contactsPath(phonebookId),
    query: pageParameters(page),
  }),
  expect: (asked) => ({ answer: contactsPage(asked) }),
});

/** The path of a phonebook's contacts. */
function contactsPath(phonebookId: string): string {
  return `/api/phonebooks/${encodeURIComponent(phonebookId)}/contacts`;
}

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
    /** In international format, or without the country's prefix if `countryCode` is set. */
    phoneNumber: z.string('must be text'),
    /** The country's calling code, such as `234`. */
    countryCode: callingCode.optional(),
    ...contactDetails,
  })
  .superRefine((contact, context) => {
    const schema = contact.countryCode === undefined ? phoneNumber : nationalNumber;
    for (const { message } of schema.safeParse(contact.phoneNumber).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['phoneNumber'], message });
    }
  });

/** A contact to add (API §4.12). */
export type NewContact = z.input<typeof addContactInput>;

const nationalNumber = z
  .string()
  .regex(/^[1-9]\d{3,13}$/, 'must be 4 to 14 digits without the country’s prefix, a leading 0, + or spaces');

/** The response's only key marks success (API §4.12). */
const addedContact = record({ contact: sentAs('Contact added successfully', contact) });

const addContact = defineOperation({
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
  expect: () => ({ answer: addedContact.transform(({ contact, raw }): Contact => ({ ...contact, raw })) }),
});

const uploadInput = z.object({
  phonebookId: pathId,
  /** The CSV, sent unchanged. A `Blob`, such as of a file on disk, is not read into memory. */
  file: z
    .union([z.string(), z.instanceof(Uint8Array), z.instanceof(Blob)], 'must be text or bytes')
    .transform((content) => new Blob([content]))
    .refine(({ size }) => size > 0, 'must not be empty'),
  fileName: nonEmptyText.default('contacts.csv'),
  /** The calling code of the numbers' country, such as `234`. */
  countryCode: callingCode,
});

/** Contacts to add from a CSV file (API §4.12). */
export type ContactsUpload = z.input<typeof uploadInput>;

/** The provider accepted the file. The contacts appear in the phonebook minutes later. */
const uploadAccepted = record({ message: text });

const upload = defineOperation({
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
  expect: () => ({ answer: uploadAccepted }),
});

const deleteInput = z.object({ phonebookId: pathId, contactId: pathId });

/** The contact to delete (API §4.12). */
export type ContactDeletion = z.input<typeof deleteInput>;

function deleteContactOperation({ contactDeleteBy }: Dialect) {
  const location = readLocation(contactDeleteBy);
  return defineOperation({
    name: 'phonebooks.deleteContact',
    input: deleteInput,
    unavailable: () => offWithout(location, 'contactDeleteBy', 'Deleting contacts is'),
    // A deletion without a contact may empty the phonebook. Each of these names one, and an id is never empty.
    request: ({ phonebookId, contactId }) => {
      const path = contactsPath(phonebookId);
      switch (location?.in) {
        case 'query':
          return { method: 'DELETE', path, query: { [location.name]: contactId } };
        case 'body':
          return { method: 'DELETE', path, json: { [location.name]: contactId } };
        default:
          return { method: 'DELETE', path: `${path}/${encodeURIComponent(contactId)}`, query: {} };
      }
    },
    expect: () => ({ answer: deletedContact }),
  });
}

/** Returns `undefined` where the field is absent or invalid, or names `api_key`, which the key would overwrite. */
function readLocation(field = ''): { in: string; name: string } | undefined {
  if (field === 'path') {
    return { in: 'path', name: '' };
  }
  const [, location, name] = /^(query|body):([A-Za-z_]\w*)$/.exec(field) ?? [];
  return location === undefined || name === undefined || name === 'api_key'
    ? undefined
    : { in: location, name };
}

/** Success is a `status` of `success` (API §7). An older format has only a message. */
const successful = z.union([
  z.looseObject({ status: z.string().regex(/^success$/i) }),
  z.looseObject({ status: z.null().optional(), message: z.string().regex(/\bdeleted successfully\b/i) }),
]);

const deletedContact = record({
  message: optionalText,
  data: optionalObject({ message: optionalText }),
}).refine(({ raw }) => successful.safeParse(raw).success, { path: ['status'] });

import { z } from 'zod';
import { addMinutes } from '../../lib/lagos-time.ts';
import { keyInForm, keyInQueryOrBody } from '../http/credentials.ts';
import { ProviderErrorReply } from '../http/error-responses.ts';
import { phoneNumberField } from '../http/fields.ts';
import { pageOf, pagingFields } from '../http/paging.ts';
import { ok } from '../http/replies.ts';
import { type OperationContext, type OperationHandler, operation } from '../operation.ts';
import type { AccountState, StoredPhonebook } from '../state/state.ts';
import {
  describePhonebook,
  internationalNumber,
  listedContact,
  newContact,
  numberColumn,
  readContacts,
} from './contacts.ts';

const path = '/api/phonebooks/{phonebook_id}/contacts';

const countryCode = z.string().regex(/^[1-9]\d{0,2}$/, 'must be a country code, as digits alone');

function find({ phonebooks }: AccountState, id: string): StoredPhonebook {
  const phonebook = phonebooks.find((candidate) => candidate.id === id);
  if (!phonebook) {
    throw new ProviderErrorReply(404, `Phonebook not found: ${id}`);
  }
  return phonebook;
}

/** API §4.12, fetch. */
const listContacts = operation({
  name: 'phonebooks.contacts',
  method: 'GET',
  path,
  fields: z.strictObject({ phonebook_id: z.string(), ...pagingFields }),
  answer({ phonebook_id: id, ...paging }, { account }) {
    const phonebook = find(account, id);
    const contacts = phonebook.contacts.map((contact) => listedContact(contact, id));
    return ok({
      headers: phonebook.headers,
      phonebook: describePhonebook(phonebook, account),
      data: pageOf(contacts, paging),
    });
  },
});

const detail = z.string().exactOptional();

/** API §4.12, add one. With a country code, the number is national. */
const addContact = operation({
  name: 'phonebooks.addContact',
  method: 'POST',
  path,
  fields: z.strictObject({
    phonebook_id: z.string(),
    phone_number: z.string().regex(/^\d{4,15}$/, 'must be a phone number, as digits alone'),
    country_code: countryCode.exactOptional(),
    email_address: z.email('must be an e-mail address').exactOptional(),
    first_name: detail,
    last_name: detail,
    company: detail,
  }),
  answer({ phonebook_id: id, phone_number: written, country_code: country, ...details }, context) {
    const phonebook = find(context.account, id);
    const number =
      country === undefined
        ? phoneNumberField.safeParse(written).data
        : internationalNumber(written, country);
    if (number === undefined) {
      throw new ProviderErrorReply(400, 'phone_number: must have its country, or a country_code');
    }
    const contact = { ...newContact(number, { [numberColumn]: written }, context.now), ...details };
    phonebook.contacts.push(contact);
    const { contact_list_key_value: _values, ...shown } = contact;
    return ok({ 'Contact added successfully': shown });
  },
});

/** The time from an upload until its contacts appear. */
export const uploadMinutes = 1;

/** API §4.12, add many: a form with the file and a JSON part beside it. */
const uploadContacts = operation({
  name: 'phonebooks.upload',
  method: 'POST',
  path: '/api/phonebooks/contacts/upload',
  credentials: keyInForm,
  fields: z.strictObject({
    file: z.string().min(1, 'must not be empty'),
    contact: z.strictObject({ country_code: countryCode, pid: z.string() }),
  }),
  answer({ file, contact: { country_code: country, pid } }, { account, now }) {
    const arrival = { at: addMinutes(now, uploadMinutes).toISOString(), ...readContacts(file, country, now) };
    find(account, pid).arriving.push(arrival);
    return ok({
      message: 'Your list is being uploaded in the background. It may take a couple of minutes to complete',
    });
  },
});

/** Adds the contacts of due uploads. */
export function applyUploads(account: AccountState, now: Date): void {
  for (const phonebook of account.phonebooks) {
    for (const { headers, contacts } of phonebook.arriving.filter(({ at }) => new Date(at) <= now)) {
      phonebook.headers = [...new Set([...phonebook.headers, ...headers])];
      phonebook.contacts.push(...contacts);
    }
    phonebook.arriving = phonebook.arriving.filter(({ at }) => new Date(at) > now);
  }
}

/**
 * API §4.12, delete. The API does not show how the contact is named: here by `contact_id`, as the end of the path, in
 * the query or in a JSON body. Without it all contacts are deleted, as the facts warn.
 */
const deleteContact = operation({
  name: 'phonebooks.deleteContact',
  method: 'DELETE',
  path,
  alias: `${path}/{contact_id}`,
  credentials: keyInQueryOrBody,
  fields: z.strictObject({
    phonebook_id: z.string(),
    contact_id: z.string().min(1, 'must not be empty').exactOptional(),
  }),
  answer({ phonebook_id: id, contact_id: contactId }, context) {
    const phonebook = find(context.account, id);
    const message = contactId === undefined ? empty(phonebook, context) : deleteOne(phonebook, contactId);
    return ok({ code: 200, data: { message }, message, status: 'success' });
  },
});

function deleteOne(phonebook: StoredPhonebook, id: string): string {
  const kept = phonebook.contacts.filter((contact) => contact.id !== id);
  if (kept.length === phonebook.contacts.length) {
    throw new ProviderErrorReply(404, `Contact not found: ${id}`);
  }
  phonebook.contacts = kept;
  return 'Contact deleted successfully';
}

function empty(phonebook: StoredPhonebook, { account, state, now }: OperationContext): string {
  const { id, name, contacts } = phonebook;
  phonebook.contacts = [];
  state.emptiedPhonebooks.push({
    at: now.toISOString(),
    account: account.key,
    id,
    contacts: contacts.length,
  });
  process.emitWarning(`A delete without a contact's id emptied the sandbox's phonebook "${name}"`);
  return `All ${contacts.length} contacts deleted successfully`;
}

export const phonebookOperations: readonly OperationHandler[] = [
  listContacts,
  addContact,
  uploadContacts,
  deleteContact,
];

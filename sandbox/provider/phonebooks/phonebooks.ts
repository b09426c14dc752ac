import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { addMinutes, lagosTimestamp } from '../../lib/lagos-time.ts';
import { ok } from '../http/replies.ts';
import {
  keyInForm,
  keyInQueryOrBody,
  ProviderErrorReply,
  pageOf,
  pagingFields,
  phoneNumberField,
} from '../http/request-checks.ts';
import { type OperationContext, type OperationHandler, operation } from '../operation.ts';
import type { AccountState, StoredContact, StoredPhonebook } from '../state/state.ts';

/** Parses a CSV file. The first line decides between comma, semicolon and tab. */
function parseCsv(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const separator = [',', ';', '\t'].find((mark) => plain.split(/\r?\n/, 1)[0]?.includes(mark)) ?? ',';
  // A cell, quoted or not, and its separator or line end.
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r?\\n|$)`, 'g');
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, written = '', end = ''] of plain.matchAll(cell)) {
    row.push(
      written
        .replace(/^"(.*)"$/s, '$1')
        .replaceAll('""', '"')
        .trim(),
    );
    if (end === separator) {
      continue;
    }
    if (row.some((value) => value !== '')) {
      rows.push(row);
    }
    row = [];
  }
  return rows;
}

/** Creates an id of 24 hexadecimal digits, as phonebooks and contacts have. */
function newRecordId(): string {
  return randomBytes(12).toString('hex');
}

/** The column of every phonebook. */
export const numberColumn = 'phone number';

export function newContact(number: string, values: Record<string, string>, now: Date): StoredContact {
  return {
    id: newRecordId(),
    phone_number: number,
    contact_list_key_value: Object.entries(values).map(([key, value]) => ({ key, value })),
    created_at: lagosTimestamp(now),
    updated_at: lagosTimestamp(now),
  };
}

/** Formats a contact for a listing (API §2.6). */
function listedContact(contact: StoredContact, pid: string): JsonObject {
  return { ...contact, pid };
}

/** Formats a phonebook (API §2.5). */
function describePhonebook(
  { id, description, createdAt, name, campaigns, contacts }: StoredPhonebook,
  { applicationId }: AccountState,
): JsonObject {
  return {
    id,
    applicationId: String(applicationId),
    description,
    createdAt,
    phonebook_name: name,
    total_contact: contacts.length,
    total_campaign: campaigns,
  };
}

/**
 * Returns a number in international format. The country code replaces the leading zero of a national number. Returns
 * undefined when the result is not a phone number.
 */
function internationalNumber(written: string, countryCode: string): string | undefined {
  const digits = written.replace(/[\s()-]/g, '').replace(/^\+|^00/, '');
  const whole = digits.startsWith(countryCode) && digits.length > 10;
  const number = whole ? digits : `${countryCode}${digits.replace(/^0/, '')}`;
  return phoneNumberField.safeParse(number).data;
}

/**
 * Reads the contacts of a CSV file. The numbers are in the column whose heading says so, else in the first. Rows
 * without a valid number are skipped, as the provider does not report them.
 */
function readContacts(
  csv: string,
  countryCode: string,
  now: Date,
): { headers: string[]; contacts: StoredContact[] } {
  const rows = parseCsv(csv);
  const headed = rows[0]?.every((cell) => !/\d{5}/.test(cell)) ?? false;
  const titles = headed ? (rows.shift() ?? []) : [];
  const found = titles.findIndex((title) => /phone|number|mobile/i.test(title));
  const column = Math.max(0, found);
  const headers = titles.length > 0 ? titles : [numberColumn];
  const contacts = rows.flatMap((row) => {
    const number = internationalNumber(row[column] ?? '', countryCode);
    const values = Object.fromEntries(headers.map((title, index) => [title, row[index] ?? '']));
    return number === undefined ? [] : [newContact(number, values, now)];
  });
  return { headers, contacts };
}

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

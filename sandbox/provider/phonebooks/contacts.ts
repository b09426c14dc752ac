import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../lib/json.ts';
import { lagosTimestamp } from '../../lib/lagos-time.ts';
import { phoneNumberField } from '../http/fields.ts';
import type { AccountState, StoredContact, StoredPhonebook } from '../state/state.ts';
import { parseCsv } from './csv.ts';

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
export function listedContact(contact: StoredContact, pid: string): JsonObject {
  return { ...contact, pid };
}

/** Formats a phonebook (API §2.5). */
export function describePhonebook(
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
export function internationalNumber(written: string, countryCode: string): string | undefined {
  const digits = written.replace(/[\s()-]/g, '').replace(/^\+|^00/, '');
  const whole = digits.startsWith(countryCode) && digits.length > 10;
  const number = whole ? digits : `${countryCode}${digits.replace(/^0/, '')}`;
  return phoneNumberField.safeParse(number).data;
}

/**
 * Reads the contacts of a CSV file. The numbers are in the column whose heading says so, else in the first. Rows
 * without a valid number are skipped, as the provider does not report them.
 */
export function readContacts(
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

import type { Keyv } from 'keyv';
import { z } from 'zod';
import { type ContactRow, type ContactTable, readContactRows } from '../../domain/csv/contact-rows.ts';
import { readCsvFile } from '../../domain/csv/read-csv.ts';
import { writeCsv } from '../../domain/csv/write-csv.ts';
import { type CountryCode, callingCodeOf } from '../../domain/phone/countries.ts';
import { splitNumber } from '../../domain/phone/phone-number.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { Operations } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { ownId } from '../operations/ownership.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { ChangeContactRequest } from './contacts.ts';

export type ReadContactFile = { ok: true; table: ContactTable } | { ok: false; reason: string };

/** What the ledger keeps of an upload. */
export const uploadSummarySchema = z.object({ phonebook: z.string(), contacts: z.number() });

type UploadingContacts =
  | { kind: 'performed'; operation: Operation; first: boolean }
  /** The preview lies more than a day back, or is another person's. */
  | { kind: 'gone' }
  | { kind: 'cancelled' }
  | { kind: 'not_connected' };

/** Uploads of contacts (API §4.12): a file is read, its preview looked at, and only then it goes, cleaned. */
export interface ContactUploads {
  /** Keeps (encrypted, for a day) what is to be uploaded under a key, until the person has seen its preview. */
  keep(request: ChangeContactRequest & { country: CountryCode; table: ContactTable }): Promise<void>;
  /** Uploads what was kept under the key, once. */
  upload(request: Omit<ChangeContactRequest, 'phonebook'>): Promise<UploadingContacts>;
  /** Ends what was kept under the key, for good, unless its upload has begun. */
  cancel(request: Omit<ChangeContactRequest, 'phonebook'>): Promise<void>;
}

/** Of contacts in one file. */
const maxContacts = 10_000;

const keptFor = 24 * 60 * 60_000;

const keptSchema = z.object({
  phonebook: z.object({ id: z.string(), name: z.string() }),
  countryCode: z.string(),
  contacts: z.number(),
  csv: z.string(),
});

/** Reads a file of contacts; the reason of a refusal is a sentence for beside its field. */
export async function readContactFile(content: Uint8Array, country: CountryCode): Promise<ReadContactFile> {
  const csv = await readCsvFile(content);
  const read = csv.ok ? await readContactRows(csv.rows, country) : csv;
  if (!read.ok) {
    return read;
  }
  const { contacts } = read.table;
  if (contacts.length === 0) {
    return {
      ok: false,
      reason: 'No row of this file can be used: each number is of another country or wrong.',
    };
  }
  if (contacts.length > maxContacts) {
    const count = contacts.length.toLocaleString('en');
    return {
      ok: false,
      reason: `${count} contacts are too many for one file: up to ${maxContacts.toLocaleString('en')}.`,
    };
  }
  return read;
}

export function createContactUploads(options: {
  keyv: (workspaceId: string, area: string) => Keyv;
  workspaces: Workspaces;
  operations: Operations;
}): ContactUploads {
  const { workspaces, operations } = options;
  const kept = (workspaceId: string) => options.keyv(workspaceId, 'contact-uploads');

  return {
    async keep({ workspaceId, userId, key, phonebook, country, table }) {
      operations.refuseOutdated(key);
      const upload: z.input<typeof keptSchema> = {
        phonebook,
        countryCode: callingCodeOf(country),
        contacts: table.contacts.length,
        csv: cleanCsv(table),
      };
      await kept(workspaceId).set(ownId(userId, key), upload, keptFor);
    },

    async upload({ workspaceId, userId, key }) {
      const value: unknown = await kept(workspaceId).get(ownId(userId, key));
      if (value === undefined) {
        const operation = await operations.find(workspaceId, key, userId);
        if (operation !== undefined) {
          return { kind: 'performed', operation, first: false };
        }
        return { kind: (await operations.isCancelled(workspaceId, key, userId)) ? 'cancelled' : 'gone' };
      }
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const { phonebook, countryCode, contacts, csv } = keptSchema.parse(value);
      const intent = {
        workspaceId,
        key,
        kind: 'contact.upload',
        userId: userId,
        summary: { phonebook: phonebook.name, contacts },
      };
      const performed = await operations.perform(intent, async () =>
        toEnding(
          await account.phonebooks.upload({ phonebookId: phonebook.id, file: csv, countryCode }),
          () => ({}),
        ),
      );
      // It was uploaded all the same, and what is kept expires.
      await kept(workspaceId)
        .delete(ownId(userId, key))
        .catch(() => {});
      return performed;
    },

    async cancel({ workspaceId, userId, key }) {
      await operations.cancel(workspaceId, key, userId);
      await kept(workspaceId).delete(ownId(userId, key));
    },
  };
}

/**
 * The file as it goes: a column of numbers first, without the country's prefix, as they are with a country code (API
 * §4.12); then the others. No byte order mark: it would become a part of the first title.
 */
function cleanCsv({ titles, contacts }: ContactTable): string {
  const columns = [
    { title: 'phone number', cell: ({ number }: ContactRow) => splitNumber(number).national },
    ...titles.map((title, index) => ({
      title,
      cell: ({ details }: ContactRow) => details[index] ?? '',
      phoneNumbers: true,
    })),
  ];
  return [...writeCsv(columns, contacts)].join('').replace(/^\uFEFF/, '');
}

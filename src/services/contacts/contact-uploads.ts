import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { type ContactRow, type ContactTable, readContactRows } from '../../domain/csv/contact-rows.ts';
import { readCsv } from '../../domain/csv/read-csv.ts';
import type { ChosenReading } from '../../domain/csv/table-reading.ts';
import { writeCsv } from '../../domain/csv/write-csv.ts';
import { type CountryCode, callingCodeOf } from '../../domain/phone/countries.ts';
import { splitNumber } from '../../domain/phone/phone-number.ts';
import type { Context } from '../context.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { Refusal } from '../refusal.ts';
import type { ChangeContactRequest } from './contacts.ts';

export type ReadContactFile = { ok: true; table: ContactTable } | { ok: false; reason: string };

/** What the ledger stores of an upload. */
export const uploadSummarySchema = z.object({ phonebook: z.string(), contacts: z.number() });

type UploadKey = Omit<ChangeContactRequest, 'phonebook'>;

const uploadKind = 'contact.upload';
/** Of contacts in one file. */
const maxContacts = 10_000;

/** In milliseconds. */
const uploadTtl = 24 * 60 * 60_000;

const uploadSchema = z.object({
  phonebook: z.object({ id: z.string(), name: z.string() }),
  countryCode: z.string(),
  contacts: z.number(),
  csv: z.string(),
});

/**
 * Reads a file of contacts. The reason for a refusal is a sentence to show beside the field. Throws what the source
 * throws, which is read from the start each time it is iterated.
 */
export async function readContactFile(
  source: AsyncIterable<Uint8Array>,
  country: CountryCode,
  reading?: ChosenReading | undefined,
): Promise<ReadContactFile> {
  const reopen = () => readCsv(source);
  const read = await readContactRows(reopen(), country, { maxContacts, reading, reopen });
  if (!read.ok) {
    return read;
  }
  const { contacts } = read.table;
  if (contacts.length === 0) {
    return {
      ok: false,
      reason: 'No row of this file has a valid number of this country.',
    };
  }
  return read;
}

/** Uploads files of contacts (API §4.12): a file is read, reviewed and then uploaded in a cleaned-up form. */
export function createContactUploads(
  { store: { keyv } }: Context,
  { operations }: { operations: Operations },
) {
  const uploads = (workspaceId: string) => keyv(workspaceId, 'contact-uploads');

  return {
    /** Stores an upload (encrypted, for a day) under a key, until the user has confirmed its review. */
    async save(request: ChangeContactRequest & { country: CountryCode; table: ContactTable }): Promise<void> {
      const { workspaceId, userId, key, phonebook, country, table } = request;
      operations.refuseOutdated(key);
      const upload: z.input<typeof uploadSchema> = {
        phonebook,
        countryCode: callingCodeOf(country),
        contacts: table.contacts.length,
        csv: cleanCsv(table),
      };
      await uploads(workspaceId).set(ownId(userId, key), upload, uploadTtl);
    },

    /** Uploads the stored contacts, once per key. Throws a Refusal `gone` if the review is too old. */
    async upload({ workspaceId, userId, key }: UploadKey): Promise<SpendResult> {
      const value: unknown = await uploads(workspaceId).get(ownId(userId, key));
      if (value === undefined) {
        const operation = await operations.findEnded(workspaceId, key, userId);
        if (operation !== undefined) {
          return { kind: 'performed', operation, first: false };
        }
        // Restored data may no longer show the file, or that it was uploaded.
        operations.refuseOutdated(key);
        const isCancelled = await operations.isCancelled(workspaceId, key, userId);
        throw new Refusal(
          isCancelled ? { kind: 'cancelled', of: uploadKind } : { kind: 'gone', what: 'upload' },
        );
      }
      const { phonebook, countryCode, contacts, csv } = uploadSchema.parse(value);
      const summary = { phonebook: phonebook.name, contacts };
      const intent = { workspaceId, key, kind: uploadKind, userId, summary };
      const file = { phonebookId: phonebook.id, file: csv, countryCode };
      const result = await operations.spend({ ...intent, usage: { kind: 'free' } }, async ({ phonebooks }) =>
        toEnding(await phonebooks.upload(file), () => ({})),
      );
      // If deleting fails, the upload still counts, and the file expires on its own.
      await uploads(workspaceId)
        .delete(ownId(userId, key))
        .catch(() => {});
      return result;
    },

    /** Discards the file stored under the key, for good. Ignored when its upload has begun. */
    async cancel({ workspaceId, userId, key }: UploadKey): Promise<void> {
      await operations.cancel(workspaceId, key, userId);
      await uploads(workspaceId).delete(ownId(userId, key));
    },
  };
}

/**
 * Returns the file to upload: first a column of numbers without the country's prefix, as API §4.12 wants them beside a
 * country code, then the other columns. No byte order mark: it would become part of the first title.
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

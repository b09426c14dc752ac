import { z } from 'zod';
import { callingCode, nonEmptyText, pathId } from '../request/input-fields.ts';
import type { ProviderOperation } from '../request/request-sender.ts';
import { record, text } from '../response/fields.ts';

/** Contacts to add from a CSV file (API §4.12). */
export interface ContactsUpload {
  readonly phonebookId: string;
  /** The CSV, sent unchanged. A `Blob`, such as of a file on disk, is not read into memory. */
  readonly file: string | Uint8Array | Blob;
  /** Default `contacts.csv`. */
  readonly fileName?: string | undefined;
  /** The calling code of the numbers' country, such as `234`. */
  readonly countryCode: string;
}

/** The provider accepted the file. The contacts appear in the phonebook minutes later. */
export interface ContactsUploadAccepted {
  readonly message: string;
  readonly raw: unknown;
}

const uploadInput = z.object({
  phonebookId: pathId,
  file: z
    .union([z.string(), z.instanceof(Uint8Array), z.instanceof(Blob)], 'must be text or bytes')
    .transform((content) => new Blob([content]))
    .refine(({ size }) => size > 0, 'must not be empty'),
  fileName: nonEmptyText.default('contacts.csv'),
  countryCode: callingCode,
});

export const upload: ProviderOperation<z.output<typeof uploadInput>, ContactsUploadAccepted> = {
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

import { CsvFault, type CsvRow, readCsv, refuseTooManyRows } from '../../../domain/csv/read-csv.ts';
import {
  openRecipients,
  type RecipientRow,
  type RecipientTable,
} from '../../../domain/csv/recipient-rows.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import { readNumbers } from '../../../domain/phone/read-numbers.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import { ProviderFailure } from '../../../provider/failure.ts';
import type { Contact } from '../../../provider/phonebooks/contacts.ts';
import type { RecipientSource } from '../campaigns.ts';

export const maxRows = 1_000_000;

export type OpenedSource = { ok: true; table: RecipientTable } | { ok: false; reason: string };

/** Begins to read the recipients of a campaign, wherever they are. The reason of a refusal is a sentence for a person. */
export async function openSource(
  source: RecipientSource,
  options: { country: CountryCode; numberColumn: number | undefined; account: ProviderAccount },
): Promise<OpenedSource> {
  const { country, numberColumn, account } = options;
  const asked = { country, ...(numberColumn === undefined ? {} : { numberColumn }) };
  switch (source.kind) {
    case 'file':
      return openFile(source, asked);
    case 'pasted':
      return openPasted(source.text, asked);
    case 'phonebook':
      return openPhonebook(account, source.id, country);
  }
}

async function openFile(
  { size = 0, open }: RecipientSource & { kind: 'file' },
  asked: { country: CountryCode; numberColumn?: number },
): Promise<OpenedSource> {
  try {
    // A row has a byte at least. A longer file is fetched twice rather than refused after its first million rows.
    if (size > maxRows) {
      await refuseTooManyRows(open(), { maxRows });
    }
  } catch (error) {
    if (error instanceof CsvFault) {
      return { ok: false, reason: error.reason };
    }
    throw error;
  }
  return openRecipients(readCsv(open(), { maxRows }), asked);
}

/** Pasted from a spreadsheet it is a table; everything else is read as the field of a single message reads it. */
async function openPasted(
  text: string,
  options: { country: CountryCode; numberColumn?: number },
): Promise<OpenedSource> {
  const opened = await openRecipients(readCsv([Buffer.from(text)]), options);
  if (opened.ok && opened.table.number.title !== undefined && opened.table.columns.length > 1) {
    return opened;
  }
  return {
    ok: true,
    table: { columns: [], number: { index: 0 }, isList: true, rows: readLines(text, options.country) },
  };
}

async function* readLines(text: string, country: CountryCode): AsyncGenerator<RecipientRow> {
  for (const [index, content] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const { numbers, invalid } = readNumbers(content, country);
    for (const number of numbers) {
      yield { kind: 'recipient', line, number, value: () => '' };
    }
    for (const bad of invalid) {
      yield { kind: 'invalid', line, ...bad };
    }
  }
}

/** Contacts as the rows of a table. What they have besides their names shows in the first of them (API §4.12). */
async function openPhonebook(
  account: ProviderAccount,
  phonebookId: string,
  country: CountryCode,
): Promise<OpenedSource> {
  const first = await account.phonebooks.contacts({ phonebookId });
  if (first.kind !== 'accepted') {
    return { ok: false, reason: first.error.message };
  }
  const own = new Set(first.value.records.flatMap(({ columns }) => columns.map(({ key }) => key)));
  const rows = contactRows(account.phonebooks.allContacts({ phonebookId }), [...own]);
  try {
    const opened = await openRecipients(rows, { country, numberColumn: 0 });
    return opened.ok ? opened : { ok: false, reason: 'This phonebook has no contacts.' };
  } catch (error) {
    const reason = reasonOfBreak(error);
    if (reason === undefined) {
      throw error;
    }
    return { ok: false, reason };
  }
}

async function* contactRows(
  contacts: AsyncIterable<Contact>,
  own: readonly string[],
): AsyncGenerator<CsvRow> {
  yield { line: 0, cells: ['Phone number', 'First name', 'Last name', 'Company', 'E-mail', ...own] };
  let line = 0;
  for await (const { phoneNumber = '', firstName, lastName, company, emailAddress, columns } of contacts) {
    line += 1;
    const values = new Map(columns.map(({ key, value }) => [key, value]));
    yield {
      line,
      cells: [
        // Listings have the international format (API §2.6).
        phoneNumber === '' || phoneNumber.startsWith('0')
          ? phoneNumber
          : `+${phoneNumber.replace(/^\+/, '')}`,
        ...[firstName, lastName, company, emailAddress].map((value) => value ?? ''),
        ...own.map((key) => values.get(key) ?? ''),
      ],
    };
  }
}

/** Why a reading broke off, where it is not the program's fault. */
export function reasonOfBreak(error: unknown): string | undefined {
  return error instanceof ProviderFailure ? error.message : undefined;
}

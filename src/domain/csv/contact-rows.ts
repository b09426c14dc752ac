import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { type CountryCode, callingCodeOf, countryName } from '../phone/countries.ts';
import { countryOf, type PhoneNumber, splitNumber, toE164 } from '../phone/phone-number.ts';
import { numberCell, readNumberCell } from './cell-kinds.ts';
import { fileBounds } from './file-bounds.ts';
import {
  type NumberTable,
  type NumberTableOptions,
  openNumberTable,
  type ReadingReview,
} from './number-table.ts';
import { type CsvOptions, type CsvRow, catchCsvFault, createKeep, type Keep, overLimit } from './read-csv.ts';
import type { RejectedRow } from './rejected-row.ts';
import { isCountryCodeTitle } from './title-words.ts';

/** A contact of a table: its number and the cells of the other columns, in the order of their titles. */
export interface ContactRow {
  number: PhoneNumber;
  details: string[];
}

export interface ContactTable {
  /** The title of the column of numbers, if it has one. */
  numberTitle?: string | undefined;
  /** The titles of the other columns. Columns without a title are left out. */
  titles: string[];
  /** In the order of their first occurrence, without duplicates. */
  contacts: ContactRow[];
  rejected: RejectedRow[];
  /** How many repetitions of a number were dropped, in any spelling. */
  duplicates: number;
  review: ReadingReview;
}

/**
 * Reads the contacts of a table, row by row as they come. All must be numbers of `country`, since an upload has one
 * country code (API §4.12); rows of other countries are rejected. The reason for a refusal is a sentence to show beside
 * the field. Throws what the source throws, except a `CsvFault`, which refuses the table.
 */
export async function readContactRows(
  rows: AsyncIterable<CsvRow>,
  country: CountryCode,
  {
    maxContacts = Number.POSITIVE_INFINITY,
    giveWay = createYield(),
    bounds = fileBounds,
    ...options
  }: Pick<CsvOptions, 'giveWay' | 'bounds'> &
    Pick<NumberTableOptions, 'reading' | 'reopen'> & { maxContacts?: number } = {},
): Promise<{ ok: true; table: ContactTable } | { ok: false; reason: string }> {
  const opened = await openNumberTable(rows, {
    ...options,
    country,
    isTable: true,
    emptyReason: 'The file is empty.',
    giveWay,
  });
  if (!opened.ok) {
    return opened;
  }
  const keep = createKeep(bounds);
  return catchCsvFault(async () => ({
    ok: true,
    table: await collect(opened.table, { country, maxContacts, giveWay, keep }),
  }));
}

async function collect(
  { reading, titles, review, rows }: NumberTable,
  {
    country,
    maxContacts,
    giveWay,
    keep,
  }: { country: CountryCode; maxContacts: number; giveWay: YieldToEventLoop; keep: Keep },
): Promise<ContactTable> {
  const index = reading.column ?? 0;
  const others = titles.flatMap((title, at) => (at === index || title === '' ? [] : [at]));
  const codeIndex = titles.findIndex(isCountryCodeTitle);
  const contacts = new Map<PhoneNumber, ContactRow>();
  const rejected: RejectedRow[] = [];
  let duplicates = 0;
  for await (const { line, cells } of rows) {
    await giveWay();
    const text = numberCell(cells, { index, codeIndex, country });
    if (text === '') {
      keep(line, [text]);
      rejected.push({ line, text, reason: 'has no number' });
    }
    const read = readNumberCell(text, country);
    const isUnread = text !== '' && read.numbers.length + read.invalid.length === 0;
    for (const { text: found, reason } of isUnread ? [{ text, reason: 'is not a number' }] : read.invalid) {
      keep(line, [found]);
      rejected.push({ line, text: found, reason });
    }
    duplicates += read.duplicates;
    for (const number of read.numbers) {
      const foreign = reasonAgainst(number, country);
      if (foreign !== undefined) {
        keep(line, [text]);
        rejected.push({ line, text, reason: foreign });
      } else if (contacts.has(number)) {
        duplicates += 1;
      } else if (contacts.size === maxContacts) {
        throw overLimit(maxContacts, 'contacts', line);
      } else {
        const details = others.map((at) => cells[at] ?? '');
        keep(line, [toE164(number), ...details]);
        contacts.set(number, { number, details });
      }
    }
  }
  const numberTitle = titles[index] ?? '';
  return {
    numberTitle: numberTitle || undefined,
    titles: others.map((at) => titles[at] ?? ''),
    contacts: [...contacts.values()],
    rejected,
    duplicates,
    review,
  };
}

function reasonAgainst(number: PhoneNumber, country: CountryCode): string | undefined {
  const { countryCode } = splitNumber(number);
  if (countryCode === callingCodeOf(country)) {
    return undefined;
  }
  const other = countryOf(number);
  const kind = other === undefined ? `a +${countryCode} number` : `a number of ${countryName(other)}`;
  return `is ${kind}: a file can only have numbers of one country`;
}

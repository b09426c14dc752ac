import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { type CountryCode, callingCodeOf, countryName } from '../phone/countries.ts';
import { countryOf, type PhoneNumber, splitNumber } from '../phone/phone-number.ts';
import { findNumberColumn, type RejectedRow, readNumberCell, whyNoNumberColumn } from './number-column.ts';
import type { CsvRow } from './read-csv.ts';

/** Someone in a table, with what the other columns say, in the order of their titles. */
export interface ContactRow {
  number: PhoneNumber;
  details: string[];
}

export interface ContactTable {
  /** The title of the column of numbers, where it has one. */
  numberTitle?: string;
  /** The titles of the other columns; one without a title is left out. */
  titles: string[];
  /** In the order of their first occurrence, each number once. */
  contacts: ContactRow[];
  bad: RejectedRow[];
  /** How many more times a number occurred, in whatever spelling. */
  duplicates: number;
}

/**
 * Reads contacts out of a table, each number written as one. All have to be numbers of `country`, since a list goes to
 * the provider under one country code (API §4.12); rows of another are named among the bad ones.
 */
export async function readContactRows(
  rows: readonly CsvRow[],
  country: CountryCode,
  giveWay: YieldToEventLoop = createYield(),
): Promise<{ ok: true; table: ContactTable } | { ok: false; reason: string }> {
  const column = await findNumberColumn(rows, country, giveWay);
  if (column === undefined) {
    return { ok: false, reason: await whyNoNumberColumn(rows) };
  }
  const { index, header } = column;
  const titles = header?.cells ?? [];
  const others = titles.flatMap((title, at) => (at === index || title === '' ? [] : [at]));
  const contacts = new Map<PhoneNumber, ContactRow>();
  const bad: RejectedRow[] = [];
  let duplicates = 0;
  for (const { line, cells } of header === undefined ? rows : rows.slice(1)) {
    await giveWay();
    const text = cells[index] ?? '';
    if (text === '') {
      bad.push({ line, text, reason: 'has no number' });
    }
    const read = readNumberCell(text, country);
    bad.push(...read.invalid.map((invalid) => ({ line, ...invalid })));
    duplicates += read.duplicates;
    for (const number of read.numbers) {
      const foreign = reasonAgainst(number, country);
      if (foreign !== undefined) {
        bad.push({ line, text, reason: foreign });
      } else if (contacts.has(number)) {
        duplicates += 1;
      } else {
        contacts.set(number, { number, details: others.map((at) => cells[at] ?? '') });
      }
    }
  }
  const numberTitle = titles[index] ?? '';
  return {
    ok: true,
    table: {
      ...(numberTitle === '' ? {} : { numberTitle }),
      titles: others.map((at) => titles[at] ?? ''),
      contacts: [...contacts.values()],
      bad,
      duplicates,
    },
  };
}

function reasonAgainst(number: PhoneNumber, country: CountryCode): string | undefined {
  const { countryCode } = splitNumber(number);
  if (countryCode === callingCodeOf(country)) {
    return undefined;
  }
  const other = countryOf(number);
  const where = other === undefined ? `country code +${countryCode}` : countryName(other);
  return `is a number of ${where}: one file goes to one country`;
}

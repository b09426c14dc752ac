import type { CountryCode } from '../phone/countries.ts';
import type { PhoneNumber } from '../phone/phone-number.ts';
import { type CsvRow, catchCsvFault } from './read-csv.ts';
import { openRecipients, type RecipientOptions, type RecipientTable } from './recipient-rows.ts';
import type { RejectedRow } from './rejected-row.ts';

/** The numbers of a table. */
export interface NumberRows {
  /** In the order of their first occurrence, without duplicates. */
  numbers: PhoneNumber[];
  /** How many repetitions were dropped, in any spelling. */
  duplicates: number;
  rejected: RejectedRow[];
  /** The title of the column of numbers, if it has one. */
  column: string | undefined;
}

export type ReadNumberRows = { ok: true; read: NumberRows } | { ok: false; reason: string };

/**
 * Reads all numbers of a table, row by row as they come. The reason for a refusal is a sentence to show beside the field.
 * Throws what the source throws, except a `CsvFault`, which refuses the table.
 */
export async function readNumberRows(
  rows: AsyncIterable<CsvRow>,
  options: RecipientOptions & { country: CountryCode; maxRows?: number | undefined },
): Promise<ReadNumberRows> {
  const opened = await openRecipients(rows, options);
  if (!opened.ok) {
    return opened;
  }
  return catchCsvFault(() => collect(opened.table, options.maxRows ?? Number.POSITIVE_INFINITY));
}

async function collect({ number: column, rows }: RecipientTable, maxRows: number): Promise<ReadNumberRows> {
  const numbers = new Set<PhoneNumber>();
  const rejected: RejectedRow[] = [];
  let duplicates = 0;
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > maxRows) {
      return { ok: false, reason: `More than ${maxRows.toLocaleString('en')} rows. Split the file.` };
    }
    if (row.kind === 'invalid') {
      rejected.push({ line: row.line, text: row.text, reason: row.reason });
      continue;
    }
    duplicates += (row.repeats ?? 0) + (numbers.has(row.number) ? 1 : 0);
    numbers.add(row.number);
  }
  return { ok: true, read: { numbers: [...numbers], duplicates, rejected, column: column.title } };
}

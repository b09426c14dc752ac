import { CsvFault, readCsv } from '../../domain/csv/read-csv.ts';
import { openRecipients, type RecipientTable } from '../../domain/csv/recipient-rows.ts';
import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';

/** The contents of a file of numbers. */
export interface NumbersOfFile {
  /** Without duplicates. */
  numbers: PhoneNumber[];
  /** How many repetitions were dropped. */
  duplicates: number;
  bad: RejectedRow[];
  /** The title of the column that has the numbers, if it has one. */
  column?: string | undefined;
}

export type ReadNumbersFile = { ok: true; file: NumbersOfFile } | { ok: false; reason: string };

/** Rows of one file. */
export const maxFileRows = 100_000;

/**
 * Reads a whole CSV file of numbers. The reason for a refusal is a sentence to show beside the field. Throws what the
 * source throws.
 */
export async function readNumbersFile(
  source: AsyncIterable<Uint8Array>,
  country: CountryCode,
  maxRows: number = maxFileRows,
): Promise<ReadNumbersFile> {
  const opened = await openRecipients(readCsv(source, { maxRows }), { country });
  if (!opened.ok) {
    return opened;
  }
  try {
    return await readRows(opened.table, maxRows);
  } catch (error) {
    if (error instanceof CsvFault) {
      return { ok: false, reason: error.reason };
    }
    throw error;
  }
}

async function readRows({ number, rows }: RecipientTable, maxRows: number): Promise<ReadNumbersFile> {
  const numbers = new Set<PhoneNumber>();
  const bad: RejectedRow[] = [];
  let read = 0;
  for await (const row of rows) {
    read += 1;
    if (read > maxRows) {
      return { ok: false, reason: `More than ${maxRows.toLocaleString('en')} rows: divide the file.` };
    }
    if (row.kind === 'recipient') {
      numbers.add(row.number);
    } else {
      bad.push({ line: row.line, text: row.text, reason: row.reason });
    }
  }
  return {
    ok: true,
    file: {
      numbers: [...numbers],
      duplicates: read - bad.length - numbers.size,
      bad,
      column: number.title,
    },
  };
}

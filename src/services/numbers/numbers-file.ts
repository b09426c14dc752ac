import type { RejectedRow } from '../../domain/csv/number-column.ts';
import { CsvFault, readCsv } from '../../domain/csv/read-csv.ts';
import { openRecipients, type RecipientTable } from '../../domain/csv/recipient-rows.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';

/** What a file of numbers holds. */
export interface NumbersOfFile {
  /** Each once. */
  numbers: PhoneNumber[];
  /** How many more times a number occurred. */
  duplicates: number;
  bad: RejectedRow[];
  /** The title of the column they were read from, where it has one. */
  column?: string;
}

export type ReadNumbersFile = { ok: true; file: NumbersOfFile } | { ok: false; reason: string };

/** Of rows in one file. */
export const maxFileRows = 100_000;

/**
 * Reads a CSV file of numbers, whole before anything is done with it. The reason of a refusal is a sentence for beside
 * its field. Throws what the source throws.
 */
export async function readNumbersFile(
  source: AsyncIterable<Uint8Array>,
  country: CountryCode,
  most: number = maxFileRows,
): Promise<ReadNumbersFile> {
  const opened = await openRecipients(readCsv(source, { maxRows: most }), { country });
  if (!opened.ok) {
    return opened;
  }
  try {
    return await readRows(opened.table, most);
  } catch (error) {
    if (error instanceof CsvFault) {
      return { ok: false, reason: error.reason };
    }
    throw error;
  }
}

async function readRows({ number, rows }: RecipientTable, most: number): Promise<ReadNumbersFile> {
  const numbers = new Set<PhoneNumber>();
  const bad: RejectedRow[] = [];
  let read = 0;
  for await (const row of rows) {
    read += 1;
    if (read > most) {
      return { ok: false, reason: `More than ${most.toLocaleString('en')} rows: divide the file.` };
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
      ...(number.title === undefined ? {} : { column: number.title }),
    },
  };
}

import { type RejectedRow, readNumberRows } from '../../domain/csv/number-column.ts';
import { readCsvFile } from '../../domain/csv/read-csv.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { describeInvalid, readNumbers } from '../../domain/phone/read-numbers.ts';

/** The numbers that a person gave, typed, in a file, or both. */
export interface NumberList {
  /** In the order given, each once. */
  numbers: PhoneNumber[];
  /** How many more times a number occurred. */
  duplicates: number;
  /** Rows of the file that were left out. */
  bad: RejectedRow[];
  /** Where the file's were found. */
  file?: { name: string; column?: string };
}

/** By the field that is at fault. */
export type NumberListFaults = { numbers: string } | { file: string };

export type ReadNumberList = { ok: true; list: NumberList } | { ok: false; faults: NumberListFaults };

/**
 * Reads what was typed, which has to be right as a whole, and a CSV file, of which bad rows are left out and listed.
 * Faults are sentences for beside their fields.
 */
export async function readNumberList(
  given: { typed: string; file?: { name: string; content: Uint8Array } | undefined },
  options: { country: CountryCode; most: number },
): Promise<ReadNumberList> {
  const { country, most } = options;
  const typed = readNumbers(given.typed, country);
  if (typed.invalid.length > 0) {
    return { ok: false, faults: { numbers: describeInvalid(typed.invalid) } };
  }
  const list: NumberList = { numbers: typed.numbers, duplicates: typed.duplicates, bad: [] };
  if (given.file !== undefined) {
    const { name, content } = given.file;
    const csv = await readCsvFile(content);
    const table = csv.ok ? await readNumberRows(csv.rows, country) : csv;
    if (!table.ok) {
      return { ok: false, faults: { file: table.reason } };
    }
    const { numbers, duplicates, bad, title } = table.read;
    const all = new Set([...typed.numbers, ...numbers]);
    list.duplicates += duplicates + typed.numbers.length + numbers.length - all.size;
    list.numbers = [...all];
    list.bad = bad;
    list.file = { name, ...(title === undefined ? {} : { column: title }) };
  }
  if (list.numbers.length === 0) {
    return { ok: false, faults: { numbers: 'Enter at least one phone number, or drop in a file.' } };
  }
  if (list.numbers.length > most) {
    const fault = `${list.numbers.length} numbers are too many: up to ${most} at a time.`;
    return { ok: false, faults: given.file === undefined ? { numbers: fault } : { file: fault } };
  }
  return { ok: true, list };
}

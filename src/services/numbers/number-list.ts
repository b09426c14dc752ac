import { excerptOf } from '../../domain/csv/cell-kinds.ts';
import { readCsv } from '../../domain/csv/read-csv.ts';
import { type ReadNumberRows, readNumberRows } from '../../domain/csv/recipient-rows.ts';
import type { RejectedEntry } from '../../domain/csv/rejected-row.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { describeInvalid, readNumbers } from '../../domain/phone/read-numbers.ts';

/** Numbers that a user typed, or uploaded in a file, or both. */
export interface NumberList {
  /** In the given order, without duplicates. */
  numbers: PhoneNumber[];
  /** How many repetitions were dropped. */
  duplicates: number;
  /** What was typed and is not a number, then the rows of the file that were rejected. */
  rejected: RejectedEntry[];
  /** The file, and the title of the column that has the numbers. */
  file?: { name: string; column?: string | undefined } | undefined;
}

/** By field. */
export type NumberListFaults = { numbers: string } | { file: string };

export type ReadNumberList = { ok: true; list: NumberList } | { ok: false; faults: NumberListFaults };

/**
 * Reads typed text and a CSV file. What is not a number is rejected and listed; without any number, the reason is a fault: a
 * sentence to show beside its field. Throws what the file's content throws.
 */
export async function readNumberList(
  input: { typed: string; file?: { name: string; content: AsyncIterable<Uint8Array> } | undefined },
  options: { country: CountryCode; max: number },
): Promise<ReadNumberList> {
  const { country, max } = options;
  const typed = readNumbers(input.typed, country);
  const list: NumberList = {
    numbers: typed.numbers,
    duplicates: typed.duplicates,
    rejected: typed.invalid.map(({ text, reason }) => ({ text: excerptOf(text), reason })),
  };
  if (input.file !== undefined) {
    const { name, content } = input.file;
    const emptyReason = 'The file is empty.';
    const file = await readNumberRows(readCsv(content), {
      reopen: () => readCsv(content),
      country,
      severalPerCell: true,
      emptyReason,
      maxNumbers: max,
    });
    if (!file.ok) {
      return { ok: false, faults: { file: file.reason } };
    }
    const { numbers, duplicates, rejected, column } = file.read;
    const all = new Set([...typed.numbers, ...numbers]);
    list.duplicates += duplicates + typed.numbers.length + numbers.length - all.size;
    list.numbers = [...all];
    list.rejected.push(...rejected);
    list.file = { name, column };
  }
  if (list.numbers.length === 0) {
    const fault =
      typed.invalid.length > 0
        ? describeInvalid(typed.invalid)
        : 'Enter at least one phone number, or upload a file.';
    return { ok: false, faults: { numbers: fault } };
  }
  if (list.numbers.length > max) {
    const fault = `${formatted(list.numbers.length)} numbers are too many: up to ${formatted(max)} at a time.`;
    return { ok: false, faults: input.file === undefined ? { numbers: fault } : { file: fault } };
  }
  return { ok: true, list };
}

function formatted(count: number): string {
  return count.toLocaleString('en');
}

/** Rows of one file. */
export const maxFileRows = 100_000;

/**
 * Reads a whole CSV file of numbers. The reason for a refusal is a sentence to show beside the field. Throws what the
 * source throws, which is read from the start each time it is iterated.
 */
export function readNumbersFile(
  source: AsyncIterable<Uint8Array>,
  country: CountryCode,
  maxRows: number = maxFileRows,
): Promise<ReadNumberRows> {
  const reopen = () => readCsv(source, { maxRows });
  return readNumberRows(reopen(), { country, maxRows, reopen });
}

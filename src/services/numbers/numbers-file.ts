import { type ReadNumberRows, readNumberRows } from '../../domain/csv/number-rows.ts';
import { readCsv } from '../../domain/csv/read-csv.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';

/** Rows of one file. */
export const maxFileRows = 100_000;

/**
 * Reads a whole CSV file of numbers. The reason for a refusal is a sentence to show beside the field. Throws what the
 * source throws.
 */
export function readNumbersFile(
  source: AsyncIterable<Uint8Array>,
  country: CountryCode,
  maxRows: number = maxFileRows,
): Promise<ReadNumberRows> {
  return readNumberRows(readCsv(source, { maxRows }), { country, maxRows });
}

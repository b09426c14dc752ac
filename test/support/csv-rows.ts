import { type CsvOptions, type CsvRow, catchCsvFault, readCsv } from '../../src/domain/csv/read-csv.ts';

/** Rows as they come from a source. */
export async function* streamed(rows: readonly CsvRow[]): AsyncGenerator<CsvRow> {
  yield* rows;
}

/** Reads all rows of a file. */
export function readCsvFile(
  content: Uint8Array,
  options: CsvOptions = {},
): Promise<{ ok: true; rows: CsvRow[] } | { ok: false; reason: string }> {
  return catchCsvFault(async () => ({ ok: true, rows: await Array.fromAsync(readCsv([content], options)) }));
}

import { type CsvColumn, streamCsv } from '../../src/domain/csv/write-csv.ts';

/** The lines of a table as a file. */
export async function linesOf<Row>(
  table: Promise<{ columns: readonly CsvColumn<Row>[]; rows: AsyncIterable<Row> } | undefined>,
): Promise<string[]> {
  const { columns, rows } = (await table) ?? {};
  if (columns === undefined || rows === undefined) {
    return [];
  }
  const pieces = await Array.fromAsync(streamCsv(columns, rows));
  return pieces.join('').trimEnd().split('\r\n');
}

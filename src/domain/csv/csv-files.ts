import { type CsvColumn, streamCsv } from './write-csv.ts';

/** A file is kept in memory, so a long table takes more than one. */
const maxRowsPerFile = 100_000;

/**
 * Yields a table as CSV files: `history.csv`, or `history-1.csv` and so on if it has more than `maxRows` rows. Each is made
 * when it is requested.
 */
export async function* csvFiles<Row>(
  table: { name: string; columns: readonly CsvColumn<Row>[]; rows: AsyncIterable<Row> },
  maxRows: number = maxRowsPerFile,
): AsyncGenerator<{ name: string; content: Buffer; rows: number }> {
  const { name, columns } = table;
  const reading = table.rows[Symbol.asyncIterator]();
  let next = await reading.next();
  for (let part = 1; part === 1 || !next.done; part += 1) {
    let rows = 0;
    async function* rowsOfFile() {
      for (; !next.done && rows < maxRows; next = await reading.next()) {
        rows += 1;
        yield next.value;
      }
    }
    const pieces: Buffer[] = [];
    for await (const piece of streamCsv(columns, rowsOfFile())) {
      pieces.push(Buffer.from(piece));
    }
    const isOnly = part === 1 && next.done;
    yield { name: isOnly ? `${name}.csv` : `${name}-${part}.csv`, content: Buffer.concat(pieces), rows };
  }
}

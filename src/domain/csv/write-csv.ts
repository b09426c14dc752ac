/** A column of a file to write. */
export interface CsvColumn<Row> {
  title: string;
  cell: (row: Row) => string;
  /** Whether a phone number such as `+2348031234567` is written as it is, though a leading plus begins a formula. */
  phoneNumbers?: boolean | undefined;
}

/**
 * Writes CSV line by line, for any spreadsheet: with a byte order mark, since some guess another encoding without it, and
 * with formulas defused.
 */
export function* writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  yield titleLine(columns);
  for (const row of rows) {
    yield lineOf(columns, row);
  }
}

/** The same for an asynchronous source of rows. */
export async function* streamCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  yield titleLine(columns);
  for await (const row of rows) {
    yield lineOf(columns, row);
  }
}

function titleLine<Row>(columns: readonly CsvColumn<Row>[]): string {
  return `\uFEFF${columns.map(({ title }) => quoted(defused(title))).join(',')}\r\n`;
}

function lineOf<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  const cells = columns.map(({ cell, phoneNumbers = false }) => {
    const text = cell(row);
    return quoted(phoneNumbers && isPhoneNumber.test(text) ? text : defused(text));
  });
  return `${cells.join(',')}\r\n`;
}

/** In full or masked. */
const isPhoneNumber = /^\+[\d•]+$/;

/** A leading apostrophe makes a formula text. */
function defused(cell: string): string {
  return isFormula.test(cell) ? `'${cell}` : cell;
}

/** Undoes the escaping of a cell, so a downloaded file that is corrected and uploaded keeps its texts. */
export function restored(cell: string): string {
  return cell.startsWith("'") && isFormula.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/**
 * What spreadsheets run as a formula (OWASP: CSV Injection): text that begins with a sign, full-width ones included, also
 * after spaces and invisible characters, which some skip; and text that begins with a control character.
 */
const isFormula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

function quoted(cell: string): string {
  return /[",;\t\r\n|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * A file is held in memory, so a long table is split into several. A file may exceed the bytes by less than a
 * row.
 */
const fullFile = { rows: 100_000, bytes: 10_000_000 };

/**
 * Yields a table as CSV files: `history.csv`, or `history-1.csv` and so on if one would be too large. Each is
 * created on demand.
 */
export async function* csvFiles<Row>(
  table: { name: string; columns: readonly CsvColumn<Row>[]; rows: AsyncIterable<Row> },
  full: { rows: number; bytes: number } = fullFile,
): AsyncGenerator<{ name: string; content: Buffer; rows: number }> {
  const { name, columns } = table;
  const reading = table.rows[Symbol.asyncIterator]();
  let next = await reading.next();
  for (let part = 1; part === 1 || !next.done; part += 1) {
    let [rows, bytes] = [0, 0];
    async function* rowsOfFile() {
      for (; !next.done && rows < full.rows && bytes < full.bytes; next = await reading.next()) {
        rows += 1;
        yield next.value;
      }
    }
    const pieces: Buffer[] = [];
    for await (const piece of streamCsv(columns, rowsOfFile())) {
      const written = Buffer.from(piece);
      pieces.push(written);
      bytes += written.length;
    }
    const isOnly = part === 1 && next.done;
    yield { name: isOnly ? `${name}.csv` : `${name}-${part}.csv`, content: Buffer.concat(pieces), rows };
  }
}

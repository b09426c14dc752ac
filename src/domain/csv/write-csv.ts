/** A column of a file to write. */
export interface CsvColumn<Row> {
  title: string;
  cell: (row: Row) => string;
  /** A number such as `+2348031234567` stands in it as it is, though it begins with a plus. */
  phoneNumbers?: boolean;
}

/**
 * Writes CSV line by line, for any spreadsheet: with a byte order mark, without which some take it for another
 * encoding, and with nothing in it that one would run as a formula.
 */
export function* writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  yield titleLine(columns);
  for (const row of rows) {
    yield lineOf(columns, row);
  }
}

/** The same for rows that come as they are read. */
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
  return `\uFEFF${columns.map(({ title }) => quoted(harmless(title))).join(',')}\r\n`;
}

function lineOf<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  const cells = columns.map(({ cell, phoneNumbers = false }) => {
    const text = cell(row);
    return quoted(phoneNumbers && isPhoneNumber.test(text) ? text : harmless(text));
  });
  return `${cells.join(',')}\r\n`;
}

/** In full or masked. */
const isPhoneNumber = /^\+[\d•]+$/;

/** An apostrophe in front makes a formula text. */
function harmless(cell: string): string {
  return isFormula.test(cell) ? `'${cell}` : cell;
}

/**
 * What spreadsheets take for a formula, and run (OWASP: CSV Injection): signs, full-width ones too, also after spaces and
 * what does not show, which some of them skip; and control characters at the beginning.
 */
const isFormula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

function quoted(cell: string): string {
  return /[",;\t\r\n|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

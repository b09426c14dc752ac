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
  yield `\uFEFF${columns.map(({ title }) => quoted(harmless(title))).join(',')}\r\n`;
  for (const row of rows) {
    const cells = columns.map(({ cell, phoneNumbers = false }) => {
      const text = cell(row);
      return quoted(phoneNumbers && isPhoneNumber.test(text) ? text : harmless(text));
    });
    yield `${cells.join(',')}\r\n`;
  }
}

/** In full or masked. */
const isPhoneNumber = /^\+[\d•]+$/;

/** A spreadsheet takes what begins so for a formula, and runs it. An apostrophe in front makes it text. */
function harmless(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",;\t\r\n|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

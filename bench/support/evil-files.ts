import { digitsOf } from './recipients.ts';

/** The limits of what is read: columns, characters of a cell, of a cell with a number, of a row, and rows. */
const bounds = { columns: 500, cell: 2000, number: 100, row: 80_000, rows: 1_000_000 };
/** Characters made at once: making more would itself hold up the event loop. */
const pieceSize = 4000;

/** Texts that are slow to read as a phone number, each in its own way. */
const evils = ['0 ', '+1 ', '0803 ', '+1 3803 803  ', '(', '.', '1,234,', '[0:0', '<tel:', 'a - ', '"', '😀'];

const repeated = (row: number, length: number) => {
  const pump = evils[row % evils.length] ?? '0 ';
  return pump.repeat(length / pump.length).replaceAll('"', '""');
};
const joined = (cells: readonly string[]) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`;
const filled = (count: number, cell: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => cell(index));

/** Worst-case files, named after what is worst in them. `row` makes a row by its number; `text` is the message. */
const files: Record<string, { header: string; row: (row: number) => string; text: string }> = {
  'rows of 500 columns of one title': {
    header: joined(['Phone', ...filled(bounds.columns - 1, () => 'Note')]),
    row: (row) =>
      joined([
        row % 10 === 0 ? `+${digitsOf(row)}` : repeated(row, bounds.number),
        ...filled(bounds.columns - 1, (index) => repeated(row + index, bounds.row / bounds.columns)),
      ]),
    text: 'Your order {{note_499|there}} is on its way.',
  },
  'cells of 2,000 characters': {
    header: 'Phone,Note\n',
    row: (row) =>
      joined([
        row % 2 === 0 ? `+${digitsOf(row)}` : repeated(row, bounds.number),
        repeated(row, bounds.cell),
      ]),
    text: 'Your orders {{note}} and {{note|there}} are on their way.',
  },
  'cells that may hold numbers, 500 in a row': {
    header: '',
    row: (row) =>
      joined(filled(bounds.columns, (index) => `${digitsOf(row)} ${'0 '.repeat(40 + (index % 4))}`)),
    text: 'Your order is on its way.',
  },
  'rows that are empty': {
    header: 'Phone,Note\n',
    row: (row) => (row === 0 ? `+${digitsOf(row)},a\n` : '\n'),
    text: 'Your order is on its way.',
  },
};

export const evilFiles = Object.keys(files);

/** Returns the message for the recipients in the file. */
export function evilText(name: string): string {
  return fileOf(name).text;
}

/** A worst-case CSV file, made while it is read: for some seconds, or up to the most rows. */
export async function* evilCsv(name: string, seconds: number): AsyncGenerator<Uint8Array> {
  const file = fileOf(name);
  yield Buffer.from(file.header);
  const end = performance.now() + seconds * 1000;
  for (let row = 0; row < bounds.rows && performance.now() < end; ) {
    const rows: string[] = [];
    for (let length = 0; length < pieceSize && row < bounds.rows; row += 1) {
      const made = file.row(row);
      rows.push(made);
      length += made.length;
    }
    yield Buffer.from(rows.join(''));
  }
}

function fileOf(name: string) {
  const file = files[name];
  if (file === undefined) {
    throw new Error(`There is no worst-case file “${name}”.`);
  }
  return file;
}

import { digitsOf } from './recipients.ts';

/** As many columns, and as many characters in a cell, a cell with a number and a row, as are read. */
const bounds = { columns: 500, cell: 2000, number: 100, row: 80_000, rows: 1_000_000 };
/** Of characters at once: making more of them would itself take long. */
const pieceSize = 4000;

/** What takes long to read as a number, each in its own way. */
const evils = ['0 ', '+1 ', '0803 ', '+1 3803 803  ', '(', '.', '1,234,', '[0:0', '<tel:', 'a - ', '"', '😀'];

const repeated = (row: number, length: number) => {
  const pump = evils[row % evils.length] ?? '0 ';
  return pump.repeat(length / pump.length).replaceAll('"', '""');
};
const joined = (cells: readonly string[]) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`;
const filled = (count: number, cell: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => cell(index));

/** The worst files that are read, by what is worst in them. Each row is made by its number, and `text` has what it holds. */
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

/** What is sent to those in the file. */
export function evilText(name: string): string {
  return fileOf(name).text;
}

/** A CSV file that takes as long to read as it may, made while it is read: for some seconds, or up to the bound. */
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
    throw new Error(`There is no file of ${name}.`);
  }
  return file;
}

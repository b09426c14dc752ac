import { digitsOf } from './recipients.ts';

/**
 * The limits for files: columns, characters of a cell, of a cell with a number, of a quoted row, and rows.
 */
const bounds = { columns: 500, cell: 2000, number: 100, row: 80_000, rows: 1_000_000 };
/** Characters made at once: making more would itself hold up the event loop. */
const pieceSize = 4000;
/** In bytes. A file of recipients may have up to 200 MB. */
const largeFile = 190_000_000;

/** Texts that are slow to read as a phone number, each in its own way. */
const evils = ['0 ', '+1 ', '0803 ', '+1 3803 803  ', '(', '.', '1,234,', '[0:0', '<tel:', 'a - ', '"', '😀'];

const repeated = (row: number, length: number) => {
  const pump = evils[row % evils.length] ?? '0 ';
  return pump.repeat(length / pump.length).replaceAll('"', '""');
};
const joined = (cells: readonly string[]) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`;
const filled = (count: number, cell: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => cell(index));

export interface EvilFile {
  header: string;
  /** Creates a row by its number, or a piece of one if the file has no rows. */
  row: (row: number) => string;
  /** The message for its recipients. */
  text: string;
  /** Maximum rows. Defaults to the limit for files. */
  rows?: number;
  /** In bytes. Without it, the file lasts for the requested time. */
  size?: number;
  encoding?: 'utf16le';
  /** Matches the refusal, if the file is refused. */
  refusal?: RegExp;
}

const plain = 'Your order is on its way.';
const people = 'Phone,Note\n';
const numbered = (row: number) => `+${digitsOf(row)}`;

/** Files that take the most time or memory, each in one way. */
const files: Record<string, EvilFile> = {
  'rows of 500 columns of one title': {
    header: joined(['Phone', ...filled(bounds.columns - 1, () => 'Note')]),
    row: (row) =>
      joined([
        row % 10 === 0 ? numbered(row) : repeated(row, bounds.number),
        ...filled(bounds.columns - 1, (index) => repeated(row + index, bounds.row / bounds.columns)),
      ]),
    text: 'Your order {{note_499|there}} is on its way.',
  },
  'cells of 2,000 characters that are slow to read': {
    header: people,
    row: (row) =>
      joined([row % 2 === 0 ? numbered(row) : repeated(row, bounds.number), repeated(row, bounds.cell)]),
    text: 'Your orders {{note}} and {{note|there}} are on their way.',
  },
  'cells that may hold numbers, 500 in a row': {
    header: '',
    row: (row) =>
      joined(filled(bounds.columns, (index) => `${digitsOf(row)} ${'0 '.repeat(40 + (index % 4))}`)),
    text: plain,
  },
  'rows that are empty': {
    header: people,
    row: (row) => (row === 0 ? `${numbered(row)},a\n` : '\n'),
    text: plain,
  },
  'line feeds in quotes': {
    header: `${people}${numbered(0)},"`,
    row: () => '\n'.repeat(pieceSize),
    text: plain,
    size: largeFile,
    refusal: /from line 2 on/,
  },
  'line feeds in quotes, 1,950 in a cell': {
    header: joined(['Phone', ...filled(50, (index) => `Note ${index}`)]),
    row: (row) => joined([numbered(row), ...filled(50, () => '\n'.repeat(1950))]),
    text: plain,
    size: largeFile,
  },
  'a quote that is never closed': {
    header: `${people}${numbered(0)},"Ada\n`,
    row: (row) => `${numbered(row)},Ada\n`,
    text: plain,
    rows: Number.POSITIVE_INFINITY,
    size: largeFile,
    refusal: /from line 2 on/,
  },
  'one line': {
    header: '',
    row: (row) => `${numbered(row)},`,
    text: plain,
    rows: Number.POSITIVE_INFINITY,
    size: largeFile,
    refusal: /[Ll]ine 1 /,
  },
  'one column of 20 million rows': {
    header: 'Phone\n',
    row: (row) => `${String(row).padStart(8, '8')}\n`,
    text: plain,
    rows: 20_000_000,
    size: largeFile,
    refusal: /more than 1,000,000 rows.*: line 1000002 /,
  },
  '500 columns of 200 characters': {
    header: joined(['Phone', ...filled(bounds.columns - 1, (index) => `Note ${index}`)]),
    row: (row) => `${[numbered(row), ...filled(bounds.columns - 1, () => 'x'.repeat(200))].join(',')}\n`,
    text: plain,
    size: largeFile,
  },
  '49 cells of 2,000 characters in a row, in one text': {
    header: joined(['Phone', ...filled(49, (index) => `Note ${index}`)]),
    row: (row) => `${[numbered(row), ...filled(49, () => 'x'.repeat(bounds.cell))].join(',')}\n`,
    text: plain,
    size: largeFile,
  },
  '2,000-character cells, each in a text of its own': {
    header: people,
    row: (row) => `${numbered(row)},${'x'.repeat(bounds.cell)}\n`,
    text: 'Your order {{note}} is on its way.',
    size: largeFile,
  },
  NULs: {
    header: people,
    row: () => '\0'.repeat(pieceSize),
    text: plain,
    size: largeFile,
    refusal: /not a text file: see line 2/,
  },
  'NULs after 10,000 rows': {
    header: people,
    row: (row) => (row < 10_000 ? `${numbered(row)},Ada\n` : '\0'.repeat(pieceSize)),
    text: plain,
    size: largeFile,
    refusal: /line 10002/,
  },
  'UTF-16, a million rows': {
    header: `\uFEFF${people}`,
    row: (row) => `${numbered(row)},${'ọja '.repeat(19)}\n`,
    text: plain,
    size: largeFile,
    encoding: 'utf16le',
  },
  'UTF-16, 2,000-character cells': {
    header: `\uFEFF${joined(['Phone', ...filled(49, (index) => `Note ${index}`)])}`,
    row: (row) => `${[numbered(row), ...filled(49, () => '好'.repeat(bounds.cell))].join(',')}\n`,
    text: plain,
    size: largeFile,
    encoding: 'utf16le',
  },
};

export const evilFiles = Object.keys(files);

export function evilFile(name: string): EvilFile {
  const file = files[name];
  if (file === undefined) {
    throw new Error(`There is no worst-case file “${name}”.`);
  }
  return file;
}

/** Yields a worst-case file on demand, up to its size and rows, or for some seconds. */
export async function* evilCsv(
  name: string,
  { seconds, size: chosen }: { seconds: number; size?: number | undefined },
): AsyncGenerator<Uint8Array> {
  const { header, row: makeRow, rows: most = bounds.rows, encoding = 'utf8', ...file } = evilFile(name);
  const size = chosen ?? file.size;
  const end = performance.now() + seconds * 1000;
  const isOver = (written: number) => (size === undefined ? performance.now() > end : written > size);
  let piece = header;
  for (let row = 0, written = 0; row < most && !isOver(written); ) {
    for (; piece.length < pieceSize && row < most; row += 1) {
      piece += makeRow(row);
    }
    const bytes = Buffer.from(piece, encoding);
    written += bytes.length;
    piece = '';
    yield bytes;
  }
}

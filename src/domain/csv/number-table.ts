import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { CountryCode } from '../phone/countries.ts';
import { type ReadNumbers, readNumbers } from '../phone/read-numbers.ts';
import { type CsvRow, catchCsvFault } from './read-csv.ts';

/** A table with a column of phone numbers, whose first rows have been read. */
export interface NumberTable {
  /** The rows read so far, titles included: enough to recognise the columns. */
  first: readonly CsvRow[];
  column: NumberColumn;
  /** All rows below the titles. Can be read once. Throws a `CsvFault` if the table is malformed further down. */
  rows: AsyncIterable<CsvRow>;
}

export interface NumberTableOptions {
  country: CountryCode;
  /** The column of numbers, from 0; without it, the column is found. */
  numberColumn?: number | undefined;
  /** The reason for refusing a table without rows. */
  emptyReason?: string | undefined;
  giveWay?: YieldToEventLoop | undefined;
}

type OpenedNumberTable = { ok: true; table: NumberTable } | { ok: false; reason: string };

/**
 * Buffers the first rows of a table of any length to find its column of numbers. The reason for a refusal is a sentence
 * to show beside the field.
 */
export async function openNumberTable(
  rows: AsyncIterable<CsvRow>,
  options: NumberTableOptions,
): Promise<OpenedNumberTable> {
  const reading = rows[Symbol.asyncIterator]();
  const opened = await catchCsvFault(() => open(reading, options));
  if (!opened.ok) {
    await reading.return?.();
  }
  return opened;
}

async function open(
  reading: AsyncIterator<CsvRow>,
  { country, numberColumn, emptyReason = 'The list is empty.', giveWay = createYield() }: NumberTableOptions,
): Promise<OpenedNumberTable> {
  const first = await firstRows(reading);
  const width = widthOf(first);
  if (width === 0) {
    return { ok: false, reason: emptyReason };
  }
  if (numberColumn !== undefined && numberColumn >= width) {
    return { ok: false, reason: `There is no column ${numberColumn + 1}: the last one is ${width}.` };
  }
  if (numberColumn === undefined && first.length === 1 && headerOf(first) !== undefined) {
    return { ok: false, reason: 'The file has no rows.' };
  }
  const column: NumberColumn | undefined =
    numberColumn === undefined
      ? await findNumberColumn(first, country, giveWay)
      : { index: numberColumn, header: headerOf(first) };
  if (column === undefined) {
    const notFound = 'No column of phone numbers in the file';
    const cells = (await firstRows(first.values())).flatMap((row) => row.cells);
    const shortened = cells.find((cell) => scientificNotation.test(cell));
    const reason =
      shortened === undefined
        ? `${notFound}.`
        : `${notFound}: Excel shortened the numbers, as in “${shortened}”. Format the column as text and export again.`;
    return { ok: false, reason };
  }
  const buffered = column.header === undefined ? first : first.slice(1);
  return { ok: true, table: { first, column, rows: readOn(buffered, reading) } };
}

/** Returns the number of columns of the longest row. */
export function widthOf(rows: readonly CsvRow[]): number {
  return Math.max(0, ...rows.map(({ cells }) => cells.length));
}

async function* readOn(buffered: readonly CsvRow[], reading: AsyncIterator<CsvRow>): AsyncGenerator<CsvRow> {
  try {
    yield* buffered;
    for (let next = await reading.next(); !next.done; next = await reading.next()) {
      yield next.value;
    }
  } finally {
    await reading.return?.();
  }
}

/** The column of a table that has the phone numbers. */
export interface NumberColumn {
  /** From 0. */
  index: number;
  /** The row of titles, if there is one. */
  header: CsvRow | undefined;
}

/** How much of a table, titles included, is read to recognise its columns: rows or characters, whichever is less. */
const sampleRows = 200;
const sampleCharacters = 200_000;

/** In characters: a name and a few numbers fit. Longer cells are not read. */
const maxNumberCell = 100;

/** English titles of columns of phone numbers. */
const phoneTitle = /phone|mobile|msisdn|gsm|whatsapp|recipient|\b(?:cell|tel)/i;
/** Also used for accounts and orders, whose numbers may look like phone numbers. */
const numberTitle = /\bnumbers?\b|\bno\b/i;

/** Reads the first rows of a table: enough to recognise its columns. */
async function firstRows(rows: Iterator<CsvRow> | AsyncIterator<CsvRow>): Promise<CsvRow[]> {
  const first: CsvRow[] = [];
  let characters = 0;
  while (first.length < sampleRows && characters < sampleCharacters) {
    const { done, value } = await rows.next();
    if (done) {
      break;
    }
    first.push(value);
    characters += value.cells.reduce((sum: number, cell: string) => sum + cell.length, 0);
  }
  return first;
}

/**
 * Finds the column of phone numbers by the first rows of a table: the one with the most numbers, where a fitting title
 * weighs as much as a number in every row. Returns `undefined` if no column has any.
 */
export async function findNumberColumn(
  rows: readonly CsvRow[],
  country: CountryCode,
  giveWay: YieldToEventLoop = createYield(),
): Promise<NumberColumn | undefined> {
  const header = headerOf(rows);
  const considered = (await firstRows(rows.values())).slice(header === undefined ? 0 : 1);
  const readable: number[] = [];
  for (const { cells } of considered) {
    for (const [index, cell] of cells.entries()) {
      await giveWay();
      readable[index] = (readable[index] ?? 0) + (hasNumber(cell, country) ? 1 : 0);
    }
  }
  const scores = Array.from(readable, (count = 0, index) =>
    count === 0 ? 0 : count / considered.length + titleWeight(header?.cells[index] ?? ''),
  );
  const best = Math.max(0, ...scores);
  return best === 0 ? undefined : { index: scores.indexOf(best), header };
}

/** Returns the row of titles: the first row, unless a cell of it is meant as a number. */
export function headerOf([first]: readonly CsvRow[]): CsvRow | undefined {
  return first && !first.cells.some(isMeantAsNumber) ? first : undefined;
}

/**
 * Whether a table is a plain list of numbers, in rows of any length, by its first rows: all cells are meant as numbers,
 * and no column has only other figures, such as amounts or dates.
 */
export async function isPlainList(
  rows: readonly CsvRow[],
  country: CountryCode,
  giveWay: YieldToEventLoop = createYield(),
): Promise<boolean> {
  const filled = new Set<number>();
  const holding = new Set<number>();
  for (const { cells } of await firstRows(rows.values())) {
    for (const [index, cell] of cells.entries()) {
      await giveWay();
      if (cell === '') {
        continue;
      }
      if (!isMeantAsNumber(cell)) {
        return false;
      }
      filled.add(index);
      if (!holding.has(index) && hasNumber(cell, country)) {
        holding.add(index);
      }
    }
  }
  return filled.size === holding.size;
}

/** Reads a cell that must have one number or several. */
export function readNumberCell(cell: string, country: CountryCode): ReadNumbers {
  if (cell.length <= maxNumberCell) {
    return readNumbers(cell, country);
  }
  return {
    numbers: [],
    invalid: [{ text: excerptOf(cell), reason: tooLong, problem: 'too_long' }],
    duplicates: 0,
  };
}

const tooLong = 'is too long for one number: if these are several, put each on its own line';

/** Returns a cell as it is listed among the rejected rows: cut off if it is long. */
export function excerptOf(cell: string): string {
  return cell.length <= maxNumberCell ? cell : `${cell.slice(0, maxNumberCell - 1).toWellFormed()}…`;
}

function titleWeight(title: string): number {
  if (phoneTitle.test(title)) {
    return 1;
  }
  return numberTitle.test(title) ? 0.5 : 0;
}

/** `8.03E+09`: how a spreadsheet shortens a long number, whose digits are lost. */
const scientificNotation = /^\d(?:[.,]\d+)?E\+?\d+$/i;

/** Whether a cell is meant as a number, valid or not: no title of a column has that many digits. */
function isMeantAsNumber(cell: string): boolean {
  return cell.replace(/\D/g, '').length >= 5 || scientificNotation.test(cell);
}

function hasNumber(cell: string, country: CountryCode): boolean {
  return isMeantAsNumber(cell) && readNumberCell(cell, country).numbers.length > 0;
}

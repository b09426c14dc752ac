import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { CountryCode } from '../phone/countries.ts';
import type { PhoneNumber } from '../phone/phone-number.ts';
import { type ReadNumbers, readNumbers } from '../phone/read-numbers.ts';
import type { CsvRow } from './read-csv.ts';

/** Where a table has its phone numbers. */
export interface NumberColumn {
  /** From 0. */
  index: number;
  /** The row of titles, where there is one. */
  header: CsvRow | undefined;
}

/** A row whose number cannot be used, and why, as the end of a sentence: line 7 *has no number*. */
export interface RejectedRow {
  line: number;
  /** As it stands in the file; may be empty. */
  text: string;
  reason: string;
}

export interface ReadRows {
  /** In the order of their first occurrence, each once. */
  numbers: PhoneNumber[];
  bad: RejectedRow[];
  /** How many more times a number occurred, in whatever spelling. */
  duplicates: number;
  /** The title of the column they were read from, where it has one. */
  title?: string;
}

/** So many rows, the titles included, tell what the others are; of long rows fewer, with as many characters in all. */
const consideredRows = 200;
const consideredCharacters = 200_000;

/** In characters. A name and a few numbers fit; a cell that is longer is not read. */
const maxNumberCell = 100;

/** Titles of columns of phone numbers, in files of people who write English. */
const soundsLikePhones = /phone|mobile|msisdn|gsm|whatsapp|recipient|\b(?:cell|tel)/i;
/** Of accounts and orders too, whose numbers may look like those of phones. */
const soundsLikeNumbers = /\bnumbers?\b|\bno\b/i;

/** The first rows of a table: as many as tell what the others are. */
export async function firstRows(rows: Iterator<CsvRow> | AsyncIterator<CsvRow>): Promise<CsvRow[]> {
  const first: CsvRow[] = [];
  let characters = 0;
  while (first.length < consideredRows && characters < consideredCharacters) {
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
 * Finds the column of phone numbers in the first rows of a table: the one with the most of them, where a title that
 * says so counts as much as all of them. Undefined: no column holds any.
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
      readable[index] = (readable[index] ?? 0) + (holdsNumber(cell, country) ? 1 : 0);
    }
  }
  const scores = Array.from(readable, (count = 0, index) =>
    count === 0 ? 0 : count / considered.length + worthOf(titleOf(header, index)),
  );
  const best = Math.max(0, ...scores);
  return best === 0 ? undefined : { index: scores.indexOf(best), header };
}

/** Of a table without such a column: a sentence for beside the field. */
export async function whyNoNumberColumn(rows: readonly CsvRow[]): Promise<string> {
  const notFound = 'No column of phone numbers was found in the file';
  const cells = (await firstRows(rows.values())).flatMap((row) => row.cells);
  const shortened = cells.find((cell) => inPowersOfTen.test(cell));
  return shortened === undefined
    ? `${notFound}.`
    : `${notFound}: a spreadsheet shortened them, as in “${shortened}”. Format their column as text there and save the file again.`;
}

/** The row of titles: the first one, where nothing in it is meant as a number. */
export function headerOf([first]: readonly CsvRow[]): CsvRow | undefined {
  return first && !first.cells.some(looksMeant) ? first : undefined;
}

/**
 * Whether a table is a list of numbers in rows of any length, by its first rows: all cells are meant as numbers, and no
 * column holds only what is none, such as amounts or dates.
 */
export async function isMereList(
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
      if (!looksMeant(cell)) {
        return false;
      }
      filled.add(index);
      if (!holding.has(index) && holdsNumber(cell, country)) {
        holding.add(index);
      }
    }
  }
  return filled.size === holding.size;
}

/** Reads a cell that has to hold a number, or several. */
export function readNumberCell(cell: string, country: CountryCode): ReadNumbers {
  if (cell.length <= maxNumberCell) {
    return readNumbers(cell, country);
  }
  return { numbers: [], invalid: [{ text: shownOf(cell), reason: tooLong }], duplicates: 0 };
}

const tooLong = 'is too long for one number: if these are several, put each on its own line';

/** What of a cell may stand in the list of bad rows. */
export function shownOf(cell: string): string {
  return cell.length <= maxNumberCell ? cell : `${cell.slice(0, maxNumberCell - 1).toWellFormed()}…`;
}

/** The numbers of a table, out of the one column that holds them; of a mere list of numbers, out of all its cells. */
export async function readNumberRows(
  rows: readonly CsvRow[],
  country: CountryCode,
  giveWay: YieldToEventLoop = createYield(),
): Promise<{ ok: true; read: ReadRows } | { ok: false; reason: string }> {
  const column = await findNumberColumn(rows, country, giveWay);
  if (column === undefined) {
    return { ok: false, reason: await whyNoNumberColumn(rows) };
  }
  const { index, header } = column;
  const isList = await isMereList(rows, country, giveWay);
  const numbers = new Set<PhoneNumber>();
  const bad: RejectedRow[] = [];
  let duplicates = 0;
  for (const row of rows.slice(header === undefined ? 0 : 1)) {
    const cells = (isList ? row.cells : [row.cells[index] ?? '']).filter((cell) => cell !== '');
    if (cells.length === 0) {
      bad.push({ line: row.line, text: '', reason: 'has no number' });
    }
    for (const cell of cells) {
      await giveWay();
      const read = readNumberCell(cell, country);
      bad.push(...read.invalid.map((invalid) => ({ line: row.line, ...invalid })));
      duplicates += read.duplicates;
      for (const number of read.numbers) {
        if (numbers.has(number)) {
          duplicates += 1;
        }
        numbers.add(number);
      }
    }
  }
  const title = titleOf(header, index);
  return {
    ok: true,
    read: { numbers: [...numbers], bad, duplicates, ...(title === '' ? {} : { title }) },
  };
}

function worthOf(title: string): number {
  if (soundsLikePhones.test(title)) {
    return 1;
  }
  return soundsLikeNumbers.test(title) ? 0.5 : 0;
}

/** `8.03E+09`: a spreadsheet writes long numbers so, and their digits are lost. */
const inPowersOfTen = /^\d(?:[.,]\d+)?E\+?\d+$/i;

/** Whether somebody meant a number here, right or wrong: no title of a column has so many digits. */
function looksMeant(cell: string): boolean {
  return cell.replace(/\D/g, '').length >= 5 || inPowersOfTen.test(cell);
}

function holdsNumber(cell: string, country: CountryCode): boolean {
  return looksMeant(cell) && readNumberCell(cell, country).numbers.length > 0;
}

function titleOf(header: CsvRow | undefined, index: number): string {
  return header?.cells[index] ?? '';
}

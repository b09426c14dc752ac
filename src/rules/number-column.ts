import type { CountryCode } from './countries.ts';
import type { PhoneNumber } from './phone-number.ts';
import type { CsvRow } from './read-csv.ts';
import { readNumbers } from './read-numbers.ts';

/** Where a table has its phone numbers. */
export interface NumberColumn {
  /** From 0. */
  index: number;
  /** The row of titles, where there is one. */
  header: CsvRow | undefined;
}

/** A row whose number cannot be used, and why, as the end of a sentence: line 7 *has no number*. */
export interface BadRow {
  line: number;
  /** As it stands in the file; may be empty. */
  text: string;
  reason: string;
}

export interface ReadRows {
  /** In the order of their first occurrence, each once. */
  numbers: PhoneNumber[];
  bad: BadRow[];
  /** How many more times a number occurred, in whatever spelling. */
  duplicates: number;
  /** The title of the column they were read from, where it has one. */
  title?: string;
}

/** So many rows, the titles included, tell what the others are. */
export const consideredRows = 200;

/** Titles of columns of phone numbers, in files of people who write English. */
const soundsLikePhones = /phone|mobile|msisdn|gsm|whatsapp|recipient|\b(?:cell|tel)/i;
/** Of accounts and orders too, whose numbers may look like those of phones. */
const soundsLikeNumbers = /\bnumbers?\b|\bno\b/i;

/**
 * Finds the column of phone numbers in the first rows of a table: the one with the most of them, where a title that
 * says so counts as much as all of them. Undefined: no column holds any.
 */
export function findNumberColumn(rows: readonly CsvRow[], country: CountryCode): NumberColumn | undefined {
  const header = headerOf(rows);
  const considered = rows.slice(header === undefined ? 0 : 1, consideredRows);
  const width = Math.max(0, ...considered.map(({ cells }) => cells.length));
  const scores = Array.from({ length: width }, (_, index) => {
    const readable = considered.filter(({ cells }) => holdsNumber(cells[index] ?? '', country)).length;
    return readable === 0 ? 0 : readable / considered.length + worthOf(titleOf(header, index));
  });
  const best = Math.max(0, ...scores);
  return best === 0 ? undefined : { index: scores.indexOf(best), header };
}

/** Of a table without such a column: a sentence for beside the field. */
export function whyNoNumberColumn(rows: readonly CsvRow[]): string {
  const notFound = 'No column of phone numbers was found in the file';
  const shortened = rows.flatMap(({ cells }) => cells).find((cell) => inPowersOfTen.test(cell));
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
export function isMereList(rows: readonly CsvRow[], country: CountryCode): boolean {
  const considered = rows.slice(0, consideredRows);
  const width = Math.max(0, ...considered.map(({ cells }) => cells.length));
  return (
    considered.every(({ cells }) => cells.every(looksMeantOrEmpty)) &&
    Array.from({ length: width }, (_, index) => considered.map(({ cells }) => cells[index] ?? '')).every(
      (cells) => cells.every((cell) => cell === '') || cells.some((cell) => holdsNumber(cell, country)),
    )
  );
}

/** The numbers of a table, out of the one column that holds them; of a mere list of numbers, out of all its cells. */
export function readNumberRows(
  rows: readonly CsvRow[],
  country: CountryCode,
): { ok: true; read: ReadRows } | { ok: false; reason: string } {
  const column = findNumberColumn(rows, country);
  if (column === undefined) {
    return { ok: false, reason: whyNoNumberColumn(rows) };
  }
  const { index, header } = column;
  const isList = isMereList(rows, country);
  const numbers = new Set<PhoneNumber>();
  const bad: BadRow[] = [];
  let duplicates = 0;
  for (const row of rows.slice(header === undefined ? 0 : 1)) {
    const cells = (isList ? row.cells : [row.cells[index] ?? '']).filter((cell) => cell !== '');
    if (cells.length === 0) bad.push({ line: row.line, text: '', reason: 'has no number' });
    for (const cell of cells) {
      const read = readNumbers(cell, country);
      bad.push(...read.invalid.map((invalid) => ({ line: row.line, ...invalid })));
      duplicates += read.duplicates;
      for (const number of read.numbers) {
        if (numbers.has(number)) duplicates += 1;
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
  if (soundsLikePhones.test(title)) return 1;
  return soundsLikeNumbers.test(title) ? 0.5 : 0;
}

/** `8.03E+09`: a spreadsheet writes long numbers so, and their digits are lost. */
const inPowersOfTen = /^\d(?:[.,]\d+)?E\+?\d+$/i;

/** Whether somebody meant a number here, right or wrong: no title of a column has so many digits. */
function looksMeant(cell: string): boolean {
  return cell.replace(/\D/g, '').length >= 5 || inPowersOfTen.test(cell);
}

function looksMeantOrEmpty(cell: string): boolean {
  return cell === '' || looksMeant(cell);
}

function holdsNumber(cell: string, country: CountryCode): boolean {
  return looksMeant(cell) && readNumbers(cell, country).numbers.length > 0;
}

function titleOf(header: CsvRow | undefined, index: number): string {
  return header?.cells[index] ?? '';
}

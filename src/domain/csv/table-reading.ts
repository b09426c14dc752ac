import { z } from 'zod';
import type { YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { CountryCode } from '../phone/countries.ts';
import { type CellKind, isMeantAsNumber, kindOfCell } from './cell-kinds.ts';
import type { CsvRow } from './read-csv.ts';
import {
  isPhoneTitle,
  namesOtherNumbers,
  rateNumberTitle,
  titleWords,
  weightOfTitle,
} from './title-words.ts';

/** How a table is read. */
export const tableReadingSchema = z.object({
  /** The line of the row of titles. Rows above it aren’t read. Absent: there are no titles. */
  titleLine: z.number().optional(),
  /** The column of numbers, from 0. Absent: every cell has a number, as in a plain list. */
  column: z.number().optional(),
});
export type TableReading = z.infer<typeof tableReadingSchema>;

/**
 * Why a person is asked:
 * - `titles`: only words decide whether a row has titles;
 * - `column`: another column has at least half as many mobile numbers, or its title speaks of other ones.
 */
export const readingDoubts = ['titles', 'column'] as const;
export type ReadingDoubt = (typeof readingDoubts)[number];

/** A reading that a person has corrected, in part or whole. */
export const chosenReadingSchema = tableReadingSchema.extend({
  /** What the person didn’t choose. */
  unsettled: z.array(z.enum(readingDoubts)).optional(),
});
export type ChosenReading = z.infer<typeof chosenReadingSchema>;

export interface FoundReading {
  reading: TableReading;
  doubts: ReadingDoubt[];
}

/** The first rows of a table, and what their cells are. */
export interface TableSample {
  rows: readonly CsvRow[];
  kinds: readonly CellKind[][];
}

export async function sampleOf(
  rows: readonly CsvRow[],
  country: CountryCode,
  giveWay: YieldToEventLoop,
): Promise<TableSample> {
  const kinds: CellKind[][] = [];
  for (const { cells } of rows) {
    const row: CellKind[] = [];
    for (const cell of cells) {
      await giveWay();
      row.push(kindOfCell(cell, country));
    }
    kinds.push(row);
  }
  return { rows, kinds };
}

/** How many cells of a column are of each kind. */
type Tally = Record<CellKind, number>;

/** What was found in a column: also further down than the first rows. */
interface ColumnCount {
  tally: Tally;
  /** All rows, empty cells included. */
  rows: number;
}

const emptyTally = (): Tally => ({ empty: 0, mobile: 0, landline: 0, figure: 0, email: 0, word: 0 });
const filledIn = ({ empty: _, ...others }: Tally) =>
  Object.values(others).reduce((sum, count) => sum + count, 0);
const numbersIn = ({ mobile, landline }: Tally) => mobile + landline;

function countColumns(kinds: readonly CellKind[][]): ColumnCount[] {
  const width = Math.max(0, ...kinds.map((row) => row.length));
  const columns = Array.from({ length: width }, () => ({ tally: emptyTally(), rows: kinds.length }));
  for (const row of kinds) {
    for (const [index, { tally }] of columns.entries()) {
      tally[row[index] ?? 'empty'] += 1;
    }
  }
  return columns;
}

/** Counts the numbers per column, reading further down where the title promises numbers but the first cells are empty. */
export function lookFurther(sample: TableSample, titlePosition: number | undefined, country: CountryCode) {
  const titles = titlePosition === undefined ? [] : (sample.rows[titlePosition]?.cells ?? []);
  const columns = countColumns(sample.kinds.slice((titlePosition ?? -1) + 1));
  const open = columns.flatMap((column, index) =>
    (titles[index] ?? '') !== '' && filledIn(column.tally) === 0 ? [{ column, index }] : [],
  );
  return {
    columns,
    isNeeded: open.length > 0,
    /** Returns whether enough was seen. */
    add({ cells }: CsvRow): boolean {
      for (const { column, index } of open) {
        column.tally[kindOfCell(cells[index] ?? '', country)] += 1;
        column.rows += 1;
      }
      return open.some(({ column }) => filledIn(column.tally) >= enoughCells);
    },
  };
}

/** Filled cells of a column further down. */
const enoughCells = 200;

interface TitleVerdict {
  score: number;
  isDoubtful: boolean;
  /** Whether it is a row of data: none below it has titles. */
  isData: boolean;
}

/** Rows that may have the titles. */
const maxTitleRows = 20;
const maxBelowHeading = 5;

/** Finds the row of titles among the first rows: its position from 0. */
export function findTitles({ rows, kinds }: TableSample): {
  position?: number | undefined;
  isDoubtful: boolean;
} {
  const below = countColumns(kinds).map(({ tally }) => tally);
  let best: TitleVerdict & { position?: number } = { score: 0, isDoubtful: false, isData: false };
  let isBelowData = false;
  for (let position = 0; position < Math.min(rows.length - 1, maxTitleRows); position += 1) {
    for (const [index, tally] of below.entries()) {
      tally[kinds[position]?.[index] ?? 'empty'] -= 1;
    }
    const verdict = judgeTitles({ rows, kinds }, position, below);
    // A heading may have a number in it: below one, sure titles count if none are sure above, and a person is asked.
    const isSure = !verdict.isDoubtful && !verdict.isData;
    const mayBe =
      !isBelowData ||
      (isSure && position <= maxBelowHeading && (best.position === undefined || best.isDoubtful));
    if (verdict.score > best.score && mayBe) {
      best = { ...verdict, position, isDoubtful: verdict.isDoubtful || isBelowData };
    }
    isBelowData ||= verdict.isData;
  }
  return best;
}

/**
 * Weighs what speaks for a row of titles: words over a column of numbers, figures or addresses, and the words themselves.
 * Against it speaks a number over numbers, and a word that comes again below.
 *
 * @param below what the rows below have in each column
 */
function judgeTitles({ rows, kinds }: TableSample, position: number, below: readonly Tally[]): TitleVerdict {
  const { cells = [] } = rows[position] ?? {};
  const kindsHere = kinds[position] ?? [];
  const most = Math.max(1, ...below.map(numbersIn));
  /**
   * Text over numbers; text over figures or addresses; cells with words of titles, or with no others; cells that are likely
   * titles, apart from a sure title of numbers.
   */
  let [overNumbers, overOthers, wordy, wordyOnly, known, repeated, filled] = [0, 0, 0, 0, 0, 0, 0];
  let [isData, hasNumberTitle, bare, odd] = [false, false, 0, 0];
  for (const [index, cell] of cells.entries()) {
    const kind = kindsHere[index] ?? 'empty';
    const tally = below[index] ?? emptyTally();
    const words = titleWords(cell);
    const hasNumbers =
      numbersIn(tally) * 2 >= Math.max(1, filledIn(tally)) || (numbersIn(tally) === most && most > 0);
    if (kind === 'empty') {
      continue;
    }
    filled += 1;
    const isNumber = kind === 'mobile' || kind === 'landline';
    const hasLetters = isLettered(cell);
    const isOdd = isNumber && hasLetters && !hasLettersUsually(rows.slice(position + 1), index);
    const isText = kind === 'word' || (isOdd && words !== 'none');
    if (isOdd && !isText) {
      odd += 1;
      continue;
    }
    if (!isText) {
      bare += 1;
      isData ||= (hasNumbers && (isNumber || kind === 'figure')) || (kind === 'email' && tally.email > 0);
      continue;
    }
    const isPhone = isPhoneTitle(cell);
    // A remark in place of a number has words too.
    wordy += words === 'all' || isPhone || (words === 'some' && !hasNumbers) ? Number(!isNumber) : 0;
    wordyOnly += words === 'all' ? 1 : 0;
    if (hasNumbers || (isPhone && filledIn(tally) === 0)) {
      overNumbers += 1;
      hasNumberTitle ||= !isNumber && rateNumberTitle(cell) === 'sure';
      known += !isNumber && rateNumberTitle(cell) === 'likely' ? 1 : 0;
      continue;
    }
    const isRepeated = rows.slice(position + 1).some((row) => row.cells[index] === cell);
    known += words === 'all' && !isRepeated ? 1 : 0;
    if (tally.figure + tally.email > filledIn(tally) / 2) {
      overOthers += 1;
    } else if (isRepeated) {
      repeated += 1;
    }
  }
  const columns = below.filter((tally) => filledIn(tally) > 0).length;
  const fullness = filled / Math.max(1, columns);
  if (isData) {
    // Every other cell is a title, and this one is a number.
    const isTitled = wordyOnly > 0 && wordyOnly === filled - bare && bare === 1;
    return { score: isTitled ? 1 : 0, isDoubtful: true, isData: true };
  }
  if (odd === filled && odd > 0) {
    // “Support: 0803…” over a plain list may be a heading or a recipient.
    return { score: 1, isDoubtful: true, isData: false };
  }
  const evidence = overOthers + wordy - repeated;
  if (overNumbers > 0) {
    // One such cell may be somebody's job, and text over figures a remark.
    const isSure = hasNumberTitle || known > 1 || (known > 0 && overOthers > 0);
    const score = repeated > 0 && !isSure ? 0 : 3 + evidence + (hasNumberTitle ? 1 : 0) + fullness;
    return { score, isDoubtful: !isSure, isData: false };
  }
  const score = fullness >= 0.5 && evidence > 0 ? evidence + fullness : 0;
  return { score, isDoubtful: wordy === 0 || overOthers === 0, isData: false };
}

const isLettered = (cell: string) => /\p{L}/u.test(cell.replace(/^tel:/i, ''));

/** Whether the numbers of a column usually have letters beside them. */
function hasLettersUsually(rows: readonly CsvRow[], index: number): boolean {
  const filled = rows.filter(({ cells }) => (cells[index] ?? '') !== '');
  return filled.filter(({ cells }) => isLettered(cells[index] ?? '')).length * 2 > filled.length;
}

/** Finds the column of numbers below the titles; undefined if no column has any. */
export function findColumn(
  columns: readonly ColumnCount[],
  titles: readonly string[],
): { index: number; isDoubtful: boolean } | undefined {
  const scores = columns.map(({ tally, rows }, index) => {
    const filled = filledIn(tally);
    // Mobile numbers win over landlines, and over figures that are valid numbers by chance.
    const quality = filled === 0 ? 0 : (tally.mobile + tally.landline / 4) / filled;
    return quality * (0.5 + filled / rows / 2) * weightOfTitle(titles[index] ?? '');
  });
  const best = Math.max(0, ...scores);
  if (best === 0) {
    return undefined;
  }
  const index = scores.indexOf(best);
  return { index, isDoubtful: hasRival(columns, index) || namesOtherNumbers(titles[index] ?? '') };
}

/** Whether another column has at least half as many mobile numbers. */
function hasRival(columns: readonly ColumnCount[], index: number): boolean {
  const shares = columns.map(({ tally, rows }) => (rows === 0 ? 0 : tally.mobile / rows));
  const own = shares[index] ?? 0;
  return shares.some((share, other) => other !== index && share > 0 && share * 2 >= own);
}

/**
 * Whether a table is a plain list of numbers, in rows of any length: all cells are meant as numbers, and no column has only
 * other figures, such as amounts or dates.
 */
export function isPlainList({ rows, kinds }: TableSample): boolean {
  return (
    rows.every(({ cells }) => cells.every((cell) => cell === '' || isMeantAsNumber(cell))) &&
    // A heading may have a date in it.
    kinds[0]?.includes('word') !== true &&
    areNumbersThroughout(countColumns(kinds))
  );
}

/** Whether a plain list may be a table whose second column has other numbers of the same people. */
export function mayBeTable({ kinds }: TableSample): boolean {
  return kinds.length > 1 && hasRival(countColumns(kinds), 0);
}

function areNumbersThroughout(columns: readonly ColumnCount[]): boolean {
  const hasMobiles = columns.some(({ tally }) => tally.mobile > 0);
  return columns.every(
    ({ tally }) =>
      filledIn(tally) === 0 ||
      (hasMobiles && columns.length > 1 ? tally.mobile * 2 >= filledIn(tally) : numbersIn(tally) > 0),
  );
}

import { z } from 'zod';
import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { CountryCode } from '../phone/countries.ts';
import { isShortened } from '../phone/read-number.ts';
import { dividedNumber, excerptOf, fewestDigits } from './cell-kinds.ts';
import { bytesOf } from './file-bounds.ts';
import { type CsvRow, catchCsvFault } from './read-csv.ts';
import {
  type ChosenReading,
  type FoundReading,
  findColumn,
  findTitles,
  isPlainList,
  lookFurther,
  mayBeTable,
  type ReadingDoubt,
  readingDoubts,
  sampleOf,
  type TableReading,
  type TableSample,
  tableReadingSchema,
} from './table-reading.ts';

/** A table with a column of phone numbers, whose first rows have been read. */
export interface NumberTable {
  reading: TableReading;
  /** The row of titles, if there is one. */
  titles: readonly string[];
  /** Of the longest of the first rows. */
  width: number;
  review: ReadingReview;
  /** All rows below the titles. Can be read once. Throws a `CsvFault` if the table is malformed further down. */
  rows: AsyncIterable<CsvRow>;
}

/** What a person sees of a reading, to correct it. */
export const readingReviewSchema = z.object({
  reading: tableReadingSchema,
  doubts: z.array(z.enum(readingDoubts)),
  /** What the person didn’t choose. */
  unsettled: z.array(z.enum(readingDoubts)),
  /** Rows that may have the titles. */
  rows: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
  /** Columns that aren’t empty. */
  columns: z.array(z.object({ index: z.number(), title: z.string() })),
  /** Whether every cell may be read as a number. */
  isPlain: z.boolean(),
  /** Rows below the titles: the cell of the number, and the others. */
  examples: z.array(z.object({ line: z.number(), number: z.string(), others: z.array(z.string()) })),
  /** Cells in the titles, or above them, that hold a valid number. */
  titleNumbers: z.array(z.object({ line: z.number(), text: z.string() })),
});
export type ReadingReview = z.infer<typeof readingReviewSchema>;

export interface NumberTableOptions {
  country: CountryCode;
  /** How a person has the table read. */
  reading?: ChosenReading | undefined;
  /** The reason for refusing a table without rows. */
  emptyReason?: string | undefined;
  giveWay?: YieldToEventLoop | undefined;
  /** Whether a list of numbers alone is a table too, whose numbers are in one column. */
  isTable?: boolean | undefined;
  /**
   * Reads the same rows from the start. Called where a column of numbers is empty in the first rows: the rows further down
   * are counted then, and none is kept.
   */
  reopen?: (() => AsyncIterable<CsvRow>) | undefined;
}

type OpenedNumberTable = { ok: true; table: NumberTable } | { ok: false; reason: string };

/** The part of a table, titles included, by which its columns are recognised: rows or bytes, whichever is less. */
const sampleRows = 1_000;
const sampleBytes = 1_000_000;

/**
 * Buffers the first rows of a table of any length to find its titles and its column of numbers. The reason for a refusal is
 * a sentence to show beside the field.
 */
export async function openNumberTable(
  rows: AsyncIterable<CsvRow>,
  options: NumberTableOptions,
): Promise<OpenedNumberTable> {
  const reader = new RowReader(rows);
  const opened = await catchCsvFault(() => open(reader, options));
  if (!opened.ok) {
    await reader.close();
  }
  return opened;
}

/** Reads rows, from the start again where it has to. */
class RowReader {
  #rows: AsyncIterator<CsvRow>;

  constructor(rows: AsyncIterable<CsvRow>) {
    this.#rows = rows[Symbol.asyncIterator]();
  }

  async next(): Promise<CsvRow | undefined> {
    const { done, value } = await this.#rows.next();
    return done ? undefined : value;
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }

  /** Continues after the first `count` rows of the same table. */
  async restart(rows: AsyncIterable<CsvRow>, count: number): Promise<void> {
    await this.close();
    this.#rows = rows[Symbol.asyncIterator]();
    for (let passed = 0; passed < count; passed += 1) {
      await this.next();
    }
  }

  async *after(buffered: readonly CsvRow[]): AsyncGenerator<CsvRow> {
    try {
      yield* buffered;
      for (let row = await this.next(); row !== undefined; row = await this.next()) {
        yield row;
      }
    } finally {
      await this.close();
    }
  }
}

async function open(reader: RowReader, options: NumberTableOptions): Promise<OpenedNumberTable> {
  const { country, emptyReason = 'The list is empty.', giveWay = createYield() } = options;
  const first: CsvRow[] = [];
  let bytes = 0;
  let isWhole = false;
  while (first.length < sampleRows && bytes < sampleBytes && !isWhole) {
    const row = await reader.next();
    isWhole = row === undefined;
    if (row !== undefined) {
      first.push(row);
      bytes += bytesOf(row.cells);
    }
  }
  const width = Math.max(0, ...first.map(({ cells }) => cells.length));
  if (width === 0) {
    return { ok: false, reason: emptyReason };
  }
  const sample = await sampleOf(first, country, giveWay);
  const { column = 0 } = options.reading ?? {};
  if (column >= width) {
    return { ok: false, reason: `There is no column ${column + 1}: the last one is ${width}.` };
  }
  const found = await findReading(reader, sample, { ...options, giveWay, isWhole });
  if ('reason' in found) {
    return { ok: false, reason: found.reason };
  }
  const { reading } = found;
  const position = positionOf(reading, first);
  const titles = position === undefined ? [] : (first[position]?.cells ?? []);
  const below = first.slice((position ?? -1) + 1);
  const isPlain = !options.isTable && isPlainList(sample);
  const unsettled = options.reading === undefined ? [...readingDoubts] : (options.reading.unsettled ?? []);
  const review = reviewOf({ ...found, unsettled }, sample, { titles, below, width, position, isPlain });
  return { ok: true, table: { reading, titles, width, review, rows: reader.after(below) } };
}

function positionOf({ titleLine }: TableReading, rows: readonly CsvRow[]): number | undefined {
  const position = rows.findIndex(({ line }) => line === titleLine);
  return position < 0 ? undefined : position;
}

/** Finds what a person didn’t choose: for a row of titles that they chose, its column of numbers. */
async function findReading(
  reader: RowReader,
  sample: TableSample,
  {
    country,
    giveWay,
    isTable,
    isWhole,
    reading: given,
    reopen,
  }: NumberTableOptions & { giveWay: YieldToEventLoop; isWhole: boolean },
): Promise<FoundReading | { reason: string }> {
  const { rows } = sample;
  const isOpen = (what: ReadingDoubt) => given === undefined || given.unsettled?.includes(what) === true;
  const found = findTitles(sample);
  const position = given === undefined ? found.position : positionOf(given, rows);
  const titleRow = position === undefined ? undefined : rows[position];
  if (given?.titleLine !== undefined && titleRow === undefined) {
    return { reason: `There is no row ${given.titleLine} to use as the header.` };
  }
  const doubts: ReadingDoubt[] =
    isOpen('titles') && found.isDoubtful && position === found.position ? ['titles'] : [];
  if (!isOpen('column')) {
    return { reading: { titleLine: given?.titleLine, column: given?.column }, doubts };
  }
  if (!isTable && position === undefined && isPlainList(sample)) {
    return { reading: {}, doubts: mayBeTable(sample) ? ['column'] : [] };
  }
  const columns = lookFurther(sample, position, country);
  if (columns.isNeeded && !isWhole && reopen !== undefined) {
    for (let row = await reader.next(); row !== undefined && !columns.add(row); row = await reader.next()) {
      await giveWay();
    }
    await reader.restart(reopen(), rows.length);
  }
  const column = findColumn(columns.columns, titleRow?.cells ?? []);
  if (column === undefined && given === undefined) {
    return { reason: whyNoColumn(sample) };
  }
  return {
    reading: { titleLine: titleRow?.line, column: column?.index ?? given?.column ?? 0 },
    doubts: column?.isDoubtful === true ? [...doubts, 'column'] : doubts,
  };
}

function whyNoColumn({ rows, kinds }: TableSample): string {
  if (rows.length === 1 && kinds[0]?.every((kind) => kind === 'word' || kind === 'empty')) {
    return 'The file has no rows.';
  }
  const notFound = 'No column of phone numbers in the file';
  const all = rows.flatMap(({ cells }) => cells);
  const shortened = all.find(
    (cell) => isShortened(cell) && (/E/i.test(cell) || cell.replace(/\D/g, '').length >= fewestDigits),
  );
  if (shortened !== undefined) {
    return `${notFound}: Excel shortened the numbers, as in “${shortened}”. Format the column as text and export again.`;
  }
  const [divided] = rows.flatMap(({ cells }) => cells.flatMap((_, at) => dividedNumber(cells, at) ?? []));
  return divided === undefined
    ? `${notFound}.`
    : `${notFound}: commas split the numbers, as in “${divided}”. Format the column as text and export again.`;
}

/** How much of a table a person sees in the review. */
const maxCellsShown = 20;
const maxRowsShown = 20;
const maxExamples = 3;
const maxTitleNumbers = 3;

function reviewOf(
  { reading, doubts, unsettled }: FoundReading & { unsettled: ReadingDoubt[] },
  sample: TableSample,
  table: {
    titles: readonly string[];
    below: readonly CsvRow[];
    width: number;
    position: number | undefined;
    isPlain: boolean;
  },
): ReadingReview {
  const { rows, kinds } = sample;
  const { titles, below, width, position = -1, isPlain } = table;
  const shown = (cells: readonly string[]) =>
    cells
      .filter((cell) => cell !== '')
      .slice(0, maxCellsShown)
      .map(excerptOf);
  const columns = Array.from({ length: width }, (_, index) => ({
    index,
    title: excerptOf((titles[index] ?? '').trim()) || `Column ${index + 1}`,
  }));
  const isFilled = ({ index }: { index: number }) => rows.some(({ cells }) => (cells[index] ?? '') !== '');
  return {
    reading,
    doubts,
    unsettled,
    rows: rows.slice(0, maxRowsShown).map(({ line, cells }) => ({ line, cells: shown(cells) })),
    columns: columns.filter(isFilled),
    isPlain,
    examples: below.slice(0, maxExamples).map(({ line, cells }) => ({
      line,
      number: excerptOf(cells[reading.column ?? 0] ?? ''),
      others: shown(cells.filter((_, index) => index !== (reading.column ?? 0))),
    })),
    titleNumbers: rows
      .slice(0, position + 1)
      .flatMap(({ line, cells }, row) =>
        cells.flatMap((cell, index) => {
          const kind = kinds[row]?.[index];
          return kind === 'mobile' || kind === 'landline' ? [{ line, text: excerptOf(cell) }] : [];
        }),
      )
      .slice(0, maxTitleNumbers),
  };
}

import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { CountryCode } from '../phone/countries.ts';
import {
  explainNoNumberColumn,
  findNumberColumn,
  firstRows,
  headerOf,
  type NumberColumn,
} from './number-column.ts';
import { type CsvRow, catchCsvFault } from './read-csv.ts';

/** A table with a column of phone numbers, of which the first rows have been read. */
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
    return { ok: false, reason: await explainNoNumberColumn(first) };
  }
  const held = column.header === undefined ? first : first.slice(1);
  return { ok: true, table: { first, column, rows: readOn(held, reading) } };
}

/** Returns the number of columns of the longest row. */
export function widthOf(rows: readonly CsvRow[]): number {
  return Math.max(0, ...rows.map(({ cells }) => cells.length));
}

async function* readOn(held: readonly CsvRow[], reading: AsyncIterator<CsvRow>): AsyncGenerator<CsvRow> {
  try {
    yield* held;
    for (let next = await reading.next(); !next.done; next = await reading.next()) {
      yield next.value;
    }
  } finally {
    await reading.return?.();
  }
}

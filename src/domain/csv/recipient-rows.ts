import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { columnName } from '../messages/template.ts';
import type { CountryCode } from '../phone/countries.ts';
import { type PhoneNumber, toE164 } from '../phone/phone-number.ts';
import { excerptOf, numberCell, readNumberCell } from './cell-kinds.ts';
import { fileBounds } from './file-bounds.ts';
import { type NumberTableOptions, openNumberTable, type ReadingReview } from './number-table.ts';
import { type CsvOptions, type CsvRow, catchCsvFault, createKeep, type Keep, overLimit } from './read-csv.ts';
import type { RejectedRow, RowProblem } from './rejected-row.ts';
import { isCountryCodeTitle } from './title-words.ts';
import { restored } from './write-csv.ts';

export interface RecipientColumn {
  /** Its unique name in a text: `first_name`, or `column_2` if it has no title. */
  name: string;
  /** For display: `First Name`, or `Column 2`. */
  title: string;
}

/** A recipient, or a row that was rejected. */
export type RecipientRow =
  | {
      kind: 'recipient';
      line: number;
      number: PhoneNumber;
      /** How many more times its cell has this number or another one; given with the first of them. */
      repeats?: number | undefined;
      /** The whole row, where the table has columns. */
      cells?: readonly string[] | undefined;
      /** Returns the row's cell in a column, by the column's name; empty if it has no such column. */
      value: (column: string) => string;
    }
  | ({ kind: 'invalid'; problem: RowProblem } & RejectedRow);

/** A table of recipients whose first rows have been read. */
export interface RecipientTable {
  columns: RecipientColumn[];
  /** The column of numbers: `index` from 0, and the title if it has one. */
  number: { index: number; title?: string | undefined };
  /** Whether it is a plain list, in which each cell is a recipient. */
  isList: boolean;
  /** How it was read. Absent where its rows are known to be recipients. */
  review?: ReadingReview | undefined;
  /** All rows below the titles. Can be read once. Throws a `CsvFault` if the table is malformed further down. */
  rows: AsyncIterable<RecipientRow>;
}

export type OpenedRecipients = { ok: true; table: RecipientTable } | { ok: false; reason: string };

export interface RecipientOptions extends NumberTableOptions {
  /** Whether a cell in the column of numbers may have several; otherwise that rejects the row. */
  severalPerCell?: boolean | undefined;
}

/**
 * Reads the recipients of a table of any length, row by row (see `openNumberTable`). The cells of a plain list may have
 * several numbers each. The reason for a refusal is a sentence to show beside the field.
 */
export async function openRecipients(
  rows: AsyncIterable<CsvRow>,
  options: RecipientOptions,
): Promise<OpenedRecipients> {
  const { country, severalPerCell = false, giveWay = createYield() } = options;
  const opened = await openNumberTable(rows, { ...options, giveWay });
  if (!opened.ok) {
    return opened;
  }
  const { reading, titles, width, review, rows: below } = opened.table;
  const { column: numberIndex } = reading;
  const columns = nameColumns(Array.from({ length: width }, (_, index) => titles[index] ?? ''));
  const indexes = new Map(columns.map(({ name }, index) => [name, index]));
  const index = numberIndex ?? 0;
  return {
    ok: true,
    table: {
      columns,
      number: { index, title: titles[index] || undefined },
      isList: numberIndex === undefined,
      review,
      rows: readRows(below, {
        country,
        indexes,
        giveWay,
        severalPerCell,
        numberIndex,
        codeIndex: titles.findIndex(isCountryCodeTitle),
      }),
    },
  };
}

interface Reading {
  country: CountryCode;
  /** Of the columns, by name. */
  indexes: ReadonlyMap<string, number>;
  giveWay: YieldToEventLoop;
  severalPerCell: boolean;
  /** The column of country codes or names, or -1. */
  codeIndex: number;
  /** The column of numbers; undefined in a plain list, in which every cell has one. */
  numberIndex: number | undefined;
}

async function* readRows(rows: AsyncIterable<CsvRow>, options: Reading): AsyncGenerator<RecipientRow> {
  const { country, giveWay, numberIndex } = options;
  for await (const { line, cells } of rows) {
    const row = { line, cells: cells.map(restored) };
    // Loops, because `yield*` in an async generator allocates far more per row.
    if (numberIndex === undefined) {
      for (const cell of row.cells) {
        await giveWay();
        for (const recipient of readListCell(row, cell, options)) {
          yield recipient;
        }
      }
    } else {
      await giveWay();
      const cell = numberCell(row.cells, { index: numberIndex, codeIndex: options.codeIndex, country });
      for (const recipient of readNumberColumn(row, cell, options)) {
        yield recipient;
      }
    }
  }
}

function readNumberColumn(row: CsvRow, cell: string, options: Reading): RecipientRow[] {
  if (options.severalPerCell && cell !== '') {
    return readListCell(row, cell, options);
  }
  return [{ ...readRecipient(row, cell, options), cells: row.cells }];
}

function readRecipient(row: CsvRow, cell: string, options: Reading): RecipientRow {
  if (cell === '') {
    return rejected(row, { text: '', reason: 'has no number', problem: 'no_number' });
  }
  const { numbers, invalid } = readNumberCell(cell, options.country);
  const [number, ...others] = numbers;
  const text = excerptOf(cell);
  if (number === undefined) {
    const { reason, problem } = invalid[0] ?? notANumber;
    return rejected(row, { text, reason, problem });
  }
  const reason = 'holds several numbers: give each a row of its own';
  return others.length > 0
    ? rejected(row, { text, reason, problem: 'several_numbers' })
    : recipient(number, row, options);
}

const notANumber = { reason: 'is not a number', problem: 'not_a_number' } as const;

function readListCell(row: CsvRow, cell: string, options: Reading): RecipientRow[] {
  const { numbers, invalid, duplicates } = readNumberCell(cell, options.country);
  if (numbers.length === 0 && invalid.length === 0 && cell !== '') {
    return [rejected(row, { text: excerptOf(cell), ...notANumber })];
  }
  return [
    ...numbers.map((number, index) => ({
      ...recipient(number, row, options),
      repeats: index === 0 ? duplicates : 0,
    })),
    ...invalid.map((entry) => rejected(row, entry)),
  ];
}

function rejected(
  { line }: CsvRow,
  found: Pick<RejectedRow, 'text' | 'reason'> & { problem: RowProblem },
): RecipientRow {
  return { kind: 'invalid', line, ...found };
}

function recipient(number: PhoneNumber, { line, cells }: CsvRow, { indexes }: Reading) {
  return {
    kind: 'recipient' as const,
    line,
    number,
    value: (column: string) => cells[indexes.get(column) ?? -1] ?? '',
  };
}

/** Names columns uniquely, also if titles repeat: `name`, `name_2`. */
export function nameColumns(titles: readonly string[]): RecipientColumn[] {
  // By name, the last number used for it, so that a thousand equal titles do not each try all before.
  const counts = new Map<string, number>();
  return titles.map((title, index) => {
    const wanted = columnName(title) || `column_${index + 1}`;
    let name = wanted;
    let count = counts.get(wanted) ?? 1;
    while (counts.has(name)) {
      count += 1;
      name = `${wanted}_${count}`;
    }
    counts.set(wanted, count).set(name, counts.get(name) ?? 1);
    return { name, title: title || `Column ${index + 1}` };
  });
}

/** The numbers of a table. */
export interface NumberRows {
  /** In the order of their first occurrence, without duplicates. */
  numbers: PhoneNumber[];
  /** How many repetitions were dropped, in any spelling. */
  duplicates: number;
  rejected: RejectedRow[];
  /** The title of the column of numbers, if it has one. */
  column: string | undefined;
}

export type ReadNumberRows = { ok: true; read: NumberRows } | { ok: false; reason: string };

/**
 * Reads all numbers of a table, row by row as they come. The reason for a refusal is a sentence to show beside the field.
 * Throws what the source throws, except a `CsvFault`, which refuses the table.
 */
export async function readNumberRows(
  rows: AsyncIterable<CsvRow>,
  options: RecipientOptions & Pick<CsvOptions, 'maxRows' | 'bounds'> & { maxNumbers?: number },
): Promise<ReadNumberRows> {
  const opened = await openRecipients(rows, options);
  if (!opened.ok) {
    return opened;
  }
  const { maxRows = Number.POSITIVE_INFINITY, maxNumbers = Number.POSITIVE_INFINITY, bounds } = options;
  return catchCsvFault(() =>
    collect(opened.table, { maxRows, maxNumbers, keep: createKeep(bounds ?? fileBounds) }),
  );
}

async function collect(
  { number: column, review, rows }: RecipientTable,
  { maxRows, maxNumbers, keep }: { maxRows: number; maxNumbers: number; keep: Keep },
): Promise<ReadNumberRows> {
  const numbers = new Set<PhoneNumber>();
  const rejected: RejectedRow[] = (review?.titleNumbers ?? []).map((entry) => ({
    ...entry,
    reason: 'is in or above the header row',
  }));
  let duplicates = 0;
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > maxRows) {
      throw overLimit(maxRows, 'rows', row.line);
    }
    if (row.kind === 'invalid') {
      keep(row.line, [row.text]);
      rejected.push({ line: row.line, text: row.text, reason: row.reason });
      continue;
    }
    duplicates += row.repeats ?? 0;
    if (numbers.has(row.number)) {
      duplicates += 1;
    } else if (numbers.size === maxNumbers) {
      throw overLimit(maxNumbers, 'numbers', row.line);
    } else {
      keep(row.line, [toE164(row.number)]);
      numbers.add(row.number);
    }
  }
  return { ok: true, read: { numbers: [...numbers], duplicates, rejected, column: column.title } };
}

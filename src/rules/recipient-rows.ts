import type { CountryCode } from './countries.ts';
import {
  type BadRow,
  consideredRows,
  findNumberColumn,
  headerOf,
  isMereList,
  type NumberColumn,
  whyNoNumberColumn,
} from './number-column.ts';
import type { PhoneNumber } from './phone-number.ts';
import { CsvFault, type CsvRow } from './read-csv.ts';
import { readNumbers } from './read-numbers.ts';
import { columnName } from './template.ts';

export interface RecipientColumn {
  /** How a text calls it, different from all others: `first_name`, or `column_2` where it has no title. */
  name: string;
  /** For people: `First Name`, or `Column 2`. */
  title: string;
}

/** A recipient, or what was left out instead of one. */
export type RecipientRow =
  | {
      kind: 'recipient';
      line: number;
      number: PhoneNumber;
      /** What the row has in a column, by its name; empty where it has nothing. */
      value: (column: string) => string;
    }
  | ({ kind: 'invalid' } & BadRow);

/** A table of recipients whose first rows are known. */
export interface RecipientTable {
  columns: RecipientColumn[];
  /** Where the numbers are: `index` from 0, with the title where the table has one. */
  number: { index: number; title?: string };
  /** Whether it has no columns in fact: each of its cells is a recipient. */
  isList: boolean;
  /** All rows below the titles, to be read once. Reading throws a `CsvFault` where the table is broken further down. */
  rows: AsyncIterable<RecipientRow>;
}

export type OpenedRecipients = { ok: true; table: RecipientTable } | { ok: false; reason: string };

/**
 * Reads the recipients of a table of any length: holds its first rows to find the column of numbers (or takes the
 * given one, from 0), and then reads on row by row. A row has one number; two in its cell are a fault of the row, except
 * in a mere list. The reason of a refusal is a sentence for beside the field.
 */
export async function openRecipients(
  rows: AsyncIterable<CsvRow>,
  options: { country: CountryCode; numberColumn?: number },
): Promise<OpenedRecipients> {
  const reading = rows[Symbol.asyncIterator]();
  const opened = await open(reading, options);
  if (!opened.ok) await reading.return?.();
  return opened;
}

async function open(
  reading: AsyncIterator<CsvRow>,
  { country, numberColumn }: { country: CountryCode; numberColumn?: number },
): Promise<OpenedRecipients> {
  const first = await beginningOf(reading);
  if (!first.ok) return first;
  const width = Math.max(0, ...first.rows.map(({ cells }) => cells.length));
  if (width === 0) return { ok: false, reason: 'The list is empty.' };
  if (numberColumn !== undefined && numberColumn >= width) {
    return { ok: false, reason: `There is no column ${numberColumn + 1}: the last one is ${width}.` };
  }
  const column: NumberColumn | undefined =
    numberColumn === undefined
      ? findNumberColumn(first.rows, country)
      : { index: numberColumn, header: headerOf(first.rows) };
  if (column === undefined) return { ok: false, reason: whyNoNumberColumn(first.rows) };

  const titles = column.header?.cells ?? [];
  const columns = nameColumns(Array.from({ length: width }, (_, index) => titles[index] ?? ''));
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const isList = numberColumn === undefined && isMereList(first.rows, country);
  const held = column.header === undefined ? first.rows : first.rows.slice(1);
  const readRow = isList
    ? (row: CsvRow) => readList(row, { country, places })
    : (row: CsvRow) => [readRecipient(row, { country, places, index: column.index })];
  const title = titles[column.index] ?? '';
  return {
    ok: true,
    table: {
      columns,
      number: { index: column.index, ...(title === '' ? {} : { title }) },
      isList,
      rows: readOn(held, reading, readRow),
    },
  };
}

async function beginningOf(
  reading: AsyncIterator<CsvRow>,
): Promise<{ ok: true; rows: CsvRow[] } | { ok: false; reason: string }> {
  const rows: CsvRow[] = [];
  try {
    while (rows.length < consideredRows) {
      const next = await reading.next();
      if (next.done) break;
      rows.push(next.value);
    }
  } catch (error) {
    if (error instanceof CsvFault) return { ok: false, reason: error.reason };
    throw error;
  }
  return { ok: true, rows };
}

async function* readOn(
  held: readonly CsvRow[],
  reading: AsyncIterator<CsvRow>,
  readRow: (row: CsvRow) => RecipientRow[],
): AsyncGenerator<RecipientRow> {
  try {
    for (const row of held) for (const read of readRow(row)) yield read;
    for (let next = await reading.next(); !next.done; next = await reading.next()) {
      for (const read of readRow(next.value)) yield read;
    }
  } finally {
    await reading.return?.();
  }
}

interface Reading {
  country: CountryCode;
  /** Of the columns, by name. */
  places: ReadonlyMap<string, number>;
}

function readRecipient(row: CsvRow, options: Reading & { index: number }): RecipientRow {
  const { line, cells } = row;
  const text = cells[options.index] ?? '';
  if (text === '') return { kind: 'invalid', line, text, reason: 'has no number' };
  const { numbers, invalid } = readNumbers(text, options.country);
  const [number, ...others] = numbers;
  if (number === undefined) {
    return { kind: 'invalid', line, text, reason: invalid[0]?.reason ?? 'is not a number' };
  }
  if (others.length > 0) {
    return { kind: 'invalid', line, text, reason: 'holds several numbers: give each a row of its own' };
  }
  return recipient(number, row, options);
}

function readList(row: CsvRow, options: Reading): RecipientRow[] {
  return row.cells
    .filter((cell) => cell !== '')
    .flatMap((cell) => {
      const { numbers, invalid } = readNumbers(cell, options.country);
      return [
        ...numbers.map((number) => recipient(number, row, options)),
        ...invalid.map((bad) => ({ kind: 'invalid' as const, line: row.line, ...bad })),
      ];
    });
}

function recipient(number: PhoneNumber, { line, cells }: CsvRow, { places }: Reading): RecipientRow {
  return { kind: 'recipient', line, number, value: (column) => cells[places.get(column) ?? -1] ?? '' };
}

/** Names that differ, also where titles do not: `name`, `name_2`. */
function nameColumns(titles: readonly string[]): RecipientColumn[] {
  // Each with the count that its last namesake got: of a thousand equal titles none tries those before.
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

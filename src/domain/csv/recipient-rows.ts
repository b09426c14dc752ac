import { createYield, type YieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { columnName } from '../messages/template.ts';
import type { CountryCode } from '../phone/countries.ts';
import type { PhoneNumber } from '../phone/phone-number.ts';
import {
  findNumberColumn,
  firstRows,
  headerOf,
  isMereList,
  type NumberColumn,
  type RejectedRow,
  readNumberCell,
  shownOf,
  whyNoNumberColumn,
} from './number-column.ts';
import { CsvFault, type CsvRow } from './read-csv.ts';

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
  | ({ kind: 'invalid' } & RejectedRow);

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
  options: { country: CountryCode; numberColumn?: number; giveWay?: YieldToEventLoop },
): Promise<OpenedRecipients> {
  const reading = rows[Symbol.asyncIterator]();
  const opened = await open(reading, options);
  if (!opened.ok) {
    await reading.return?.();
  }
  return opened;
}

async function open(
  reading: AsyncIterator<CsvRow>,
  {
    country,
    numberColumn,
    giveWay = createYield(),
  }: { country: CountryCode; numberColumn?: number; giveWay?: YieldToEventLoop },
): Promise<OpenedRecipients> {
  const first = await beginningOf(reading);
  if (!first.ok) {
    return first;
  }
  const width = Math.max(0, ...first.rows.map(({ cells }) => cells.length));
  if (width === 0) {
    return { ok: false, reason: 'The list is empty.' };
  }
  if (numberColumn !== undefined && numberColumn >= width) {
    return { ok: false, reason: `There is no column ${numberColumn + 1}: the last one is ${width}.` };
  }
  const column: NumberColumn | undefined =
    numberColumn === undefined
      ? await findNumberColumn(first.rows, country, giveWay)
      : { index: numberColumn, header: headerOf(first.rows) };
  if (column === undefined) {
    return { ok: false, reason: await whyNoNumberColumn(first.rows) };
  }

  const titles = column.header?.cells ?? [];
  const columns = nameColumns(Array.from({ length: width }, (_, index) => titles[index] ?? ''));
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const isList = numberColumn === undefined && (await isMereList(first.rows, country, giveWay));
  const held = column.header === undefined ? first.rows : first.rows.slice(1);
  const options = { country, places, giveWay, ...(isList ? {} : { index: column.index }) };
  const title = titles[column.index] ?? '';
  return {
    ok: true,
    table: {
      columns,
      number: { index: column.index, ...(title === '' ? {} : { title }) },
      isList,
      rows: readOn(held, reading, options),
    },
  };
}

async function beginningOf(
  reading: AsyncIterator<CsvRow>,
): Promise<{ ok: true; rows: CsvRow[] } | { ok: false; reason: string }> {
  try {
    return { ok: true, rows: await firstRows(reading) };
  } catch (error) {
    if (error instanceof CsvFault) {
      return { ok: false, reason: error.reason };
    }
    throw error;
  }
}

interface Reading {
  country: CountryCode;
  /** Of the columns, by name. */
  places: ReadonlyMap<string, number>;
  giveWay: YieldToEventLoop;
  /** Of the column of the numbers; undefined in a mere list, whose cells all hold some. */
  index?: number;
}

async function* readOn(
  held: readonly CsvRow[],
  reading: AsyncIterator<CsvRow>,
  options: Reading,
): AsyncGenerator<RecipientRow> {
  try {
    for (const row of held) {
      yield* readRow(row, options);
    }
    for (let next = await reading.next(); !next.done; next = await reading.next()) {
      yield* readRow(next.value, options);
    }
  } finally {
    await reading.return?.();
  }
}

async function* readRow(row: CsvRow, options: Reading): AsyncGenerator<RecipientRow> {
  const { giveWay, index } = options;
  if (index !== undefined) {
    await giveWay();
    yield readRecipient(row, row.cells[index] ?? '', options);
    return;
  }
  for (const cell of row.cells) {
    await giveWay();
    yield* readList(row, cell, options);
  }
}

function readRecipient(row: CsvRow, cell: string, options: Reading): RecipientRow {
  const refuse = (reason: string) =>
    ({ kind: 'invalid', line: row.line, text: shownOf(cell), reason }) as const;
  if (cell === '') {
    return refuse('has no number');
  }
  const { numbers, invalid } = readNumberCell(cell, options.country);
  const [number, ...others] = numbers;
  if (number === undefined) {
    return refuse(invalid[0]?.reason ?? 'is not a number');
  }
  return others.length > 0
    ? refuse('holds several numbers: give each a row of its own')
    : recipient(number, row, options);
}

function readList(row: CsvRow, cell: string, options: Reading): RecipientRow[] {
  const { numbers, invalid } = readNumberCell(cell, options.country);
  return [
    ...numbers.map((number) => recipient(number, row, options)),
    ...invalid.map((bad) => ({ kind: 'invalid' as const, line: row.line, ...bad })),
  ];
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

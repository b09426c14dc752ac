import type { RejectedRow } from '../../../../domain/csv/number-column.ts';
import { type CsvColumn, writeCsv } from '../../../../domain/csv/write-csv.ts';
import { maskNumber } from '../../../../domain/phone/phone-number.ts';
import type { CheckedNumber } from '../../../../services/numbers/dnd-check.ts';

export const resultFileName = 'dnd-check.csv';

/** A row of the result: a number that was checked, or a row of the given file that was left out. */
interface ResultRow {
  number: string;
  network: string;
  dnd: string;
  route: string;
  note: string;
}

const columns: readonly CsvColumn<ResultRow>[] = [
  { title: 'Phone number', cell: ({ number }) => number, phoneNumbers: true },
  { title: 'Network', cell: ({ network }) => network },
  { title: 'Do-Not-Disturb', cell: ({ dnd }) => dnd },
  { title: 'Route', cell: ({ route }) => route },
  { title: 'Note', cell: ({ note }) => note },
];

/** The result for its person: every number in full, and after them the rows that were left out. */
export function resultFile(numbers: readonly CheckedNumber[], bad: readonly RejectedRow[]): Buffer {
  return fileOf([...numbers.map((checked) => resultRow(checked, checked.number)), ...bad.map(badRow)]);
}

/** The result for a channel. What stood in rows left out may be anything, so it is not in it. */
export function channelResultFile(numbers: readonly CheckedNumber[], showNumbers = false): Buffer {
  return fileOf(
    numbers.map((checked) => resultRow(checked, showNumbers ? checked.number : maskNumber(checked.number))),
  );
}

function fileOf(rows: readonly ResultRow[]): Buffer {
  return Buffer.from([...writeCsv(columns, rows)].join(''));
}

function resultRow({ dnd, network = '', problem = '' }: CheckedNumber, number: string): ResultRow {
  return { number, network, ...words[dnd], note: problem };
}

const words = {
  active: { dnd: 'yes', route: 'DND' },
  inactive: { dnd: 'no', route: 'generic or DND' },
  unknown: { dnd: 'not known', route: 'DND' },
} as const;

function badRow({ line, text, reason }: RejectedRow): ResultRow {
  return { number: text, network: '', dnd: 'not checked', route: '', note: `Line ${line}: ${reason}` };
}

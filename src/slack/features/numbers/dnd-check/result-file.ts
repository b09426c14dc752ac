import type { RejectedRow } from '../../../../domain/csv/rejected-row.ts';
import { type CsvColumn, writeCsv } from '../../../../domain/csv/write-csv.ts';
import { maskNumber } from '../../../../domain/phone/phone-number.ts';
import type { CheckedNumber } from '../../../../services/numbers/dnd-check.ts';

export const resultFileName = 'dnd-check.csv';

/** A row of the result: a checked number, or a rejected row of the given file. */
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

/** The result for its user: every number in full, then the rejected rows. */
export function resultFile(numbers: readonly CheckedNumber[], rejected: readonly RejectedRow[]): Buffer {
  return fileOf([
    ...numbers.map((checked) => resultRow(checked, checked.number)),
    ...rejected.map(rejectedRow),
  ]);
}

/** The result for a channel. Rejected rows may contain anything, so they are left out. */
export function channelResultFile(numbers: readonly CheckedNumber[], showNumbers = false): Buffer {
  return fileOf(
    numbers.map((checked) => resultRow(checked, showNumbers ? checked.number : maskNumber(checked.number))),
  );
}

function fileOf(rows: readonly ResultRow[]): Buffer {
  return Buffer.from([...writeCsv(columns, rows)].join(''));
}

function resultRow({ dnd, network = '', problem = '' }: CheckedNumber, number: string): ResultRow {
  return { number, network, ...dndColumns[dnd], note: problem };
}

const dndColumns = {
  active: { dnd: 'yes', route: 'DND' },
  inactive: { dnd: 'no', route: 'generic or DND' },
  unknown: { dnd: 'not known', route: 'DND' },
} as const;

function rejectedRow({ line, text, reason }: RejectedRow): ResultRow {
  return { number: text, network: '', dnd: 'not checked', route: '', note: `Line ${line}: ${reason}` };
}

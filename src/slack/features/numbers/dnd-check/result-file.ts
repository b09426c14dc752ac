import type { RejectedEntry } from '../../../../domain/csv/rejected-row.ts';
import { type CsvColumn, writeCsv } from '../../../../domain/csv/write-csv.ts';
import type { RouteAdvice } from '../../../../domain/messages/route-advice.ts';
import { maskNumber } from '../../../../domain/phone/phone-number.ts';
import type { ReportedNumber } from './reported-number.ts';

export const resultFileName = 'dnd-check.csv';

/** A row of the result: a checked number, or a rejected row of the given file. */
interface ResultRow {
  number: string;
  network: string;
  dnd: string;
  route: string;
  listed: string;
  note: string;
}

const columns: readonly CsvColumn<ResultRow>[] = [
  { title: 'Phone number', cell: ({ number }) => number, phoneNumbers: true },
  { title: 'Network', cell: ({ network }) => network },
  { title: 'Do-Not-Disturb', cell: ({ dnd }) => dnd },
  { title: 'Route', cell: ({ route }) => route },
  { title: 'Do-not-contact list', cell: ({ listed }) => listed },
  { title: 'Note', cell: ({ note }) => note },
];

/** The result for its user: every number in full, then the rejected rows. */
export function resultFile(numbers: readonly ReportedNumber[], rejected: readonly RejectedEntry[]): Buffer {
  return fileOf([
    ...numbers.map((checked) => resultRow(checked, checked.number)),
    ...rejected.map(rejectedRow),
  ]);
}

/** The result for a channel. Rejected rows may contain anything, so they are left out. */
export function channelResultFile(numbers: readonly ReportedNumber[], showNumbers = false): Buffer {
  return fileOf(
    numbers.map((checked) => resultRow(checked, showNumbers ? checked.number : maskNumber(checked.number))),
  );
}

function fileOf(rows: readonly ResultRow[]): Buffer {
  return Buffer.from([...writeCsv(columns, rows)].join(''));
}

function resultRow(
  { dnd, network = '', problem = '', advice, listed }: ReportedNumber,
  number: string,
): ResultRow {
  return {
    number,
    network,
    dnd: advice.kind === 'not_nigerian' ? 'does not apply' : dndCells[dnd],
    route: routeCells[advice.kind],
    listed: listed === undefined ? '' : `since ${listed.createdAt.toISOString().slice(0, 10)}`,
    note: problem,
  };
}

const dndCells = { active: 'yes', inactive: 'no', unknown: 'not known' } as const;

/** Quiet hours end at one hour in Lagos, whichever day the file is read. */
const routeCells: Record<RouteAdvice['kind'], string> = {
  any_route: 'generic or DND',
  not_nigerian: 'any',
  on_dnd: 'DND',
  quiet_hours: 'DND until 8:00 AM in Lagos (quiet hours)',
  dnd_unknown: 'DND',
};

function rejectedRow({ line, text, reason }: RejectedEntry): ResultRow {
  const where = line === undefined ? '' : `Line ${line}: `;
  return { number: text, network: '', dnd: 'not checked', route: '', listed: '', note: `${where}${reason}` };
}

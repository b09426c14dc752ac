import type { SectionBlock } from '@slack/types';
import type { RejectedRow } from '../../../domain/csv/rejected-row.ts';
import { writeCsv } from '../../../domain/csv/write-csv.ts';
import { lines } from '../build.ts';
import { clampText } from '../limits.ts';
import { formatCount, pluralize } from '../plural.ts';
import { mrkdwn } from '../text.ts';

export const rejectedRowsFileName = 'rows-left-out.csv';

const maxShown = 50;
const maxCellLength = 60;

/** The rejected rows of a file, with the reasons. If there are many: the first of them, and whether the file was sent. */
export function rejectedRowsBlocks(rejected: readonly RejectedRow[], isFileSent: boolean): SectionBlock[] {
  if (rejected.length === 0) {
    return [];
  }
  const rest = rejected.length - maxShown;
  return lines([
    mrkdwn`:warning: *${pluralize(rejected.length, 'row')} left out:*`,
    ...rejected.slice(0, maxShown).map((row) => mrkdwn`• ${describeRejectedRow(row)}`),
    ...(rest > 0
      ? [
          isFileSent
            ? mrkdwn`• and ${formatCount(rest)} more: all are in *${rejectedRowsFileName}*, in your messages with Switchboard`
            : mrkdwn`• and ${formatCount(rest)} more. Slack did not take the file with all of them.`,
        ]
      : []),
  ]);
}

/** Returns all rejected rows as a CSV file; undefined if they fit into a view. */
export function rejectedRowsFile(rejected: readonly RejectedRow[]): Buffer | undefined {
  if (rejected.length <= maxShown) {
    return undefined;
  }
  const columns = [
    { title: 'Line', cell: ({ line }: RejectedRow) => String(line) },
    { title: 'As it stands there', cell: ({ text }: RejectedRow) => text, phoneNumbers: true },
    { title: 'Why it was left out', cell: ({ reason }: RejectedRow) => reason },
  ];
  return Buffer.from([...writeCsv(columns, rejected)].join(''));
}

/** `Line 7: “0803” is too short for Nigeria` */
export function describeRejectedRow({ line, text, reason }: RejectedRow): string {
  return text === ''
    ? `Line ${line} ${reason}`
    : `Line ${line}: “${clampText(text, maxCellLength)}” ${reason}`;
}

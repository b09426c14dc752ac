import type { SectionBlock } from '@slack/types';
import type { RejectedRow } from '../../domain/csv/number-column.ts';
import { writeCsv } from '../../domain/csv/write-csv.ts';
import { lines } from './build.ts';
import { clampText } from './limits.ts';
import { mrkdwn } from './text.ts';

export const rejectedRowsFileName = 'rows-left-out.csv';

const mostShown = 50;
/** Of a cell, whoever filled it. */
const longestCell = 60;

/** The rows of a file that were left out, with why; where they are many, the first of them, and whether the file of all was sent. */
export function rejectedRowsBlocks(bad: readonly RejectedRow[], isFileSent: boolean): SectionBlock[] {
  if (bad.length === 0) {
    return [];
  }
  const rest = bad.length - mostShown;
  return lines([
    mrkdwn`:warning: *${bad.length === 1 ? '1 row' : `${bad.length.toLocaleString('en')} rows`} left out:*`,
    ...bad.slice(0, mostShown).map((row) => mrkdwn`• ${describeRejectedRow(row)}`),
    ...(rest > 0
      ? [
          isFileSent
            ? mrkdwn`• and ${rest.toLocaleString('en')} more: all are in *${rejectedRowsFileName}*, in your messages with Switchboard`
            : mrkdwn`• and ${rest.toLocaleString('en')} more. Slack did not take the file with all of them.`,
        ]
      : []),
  ]);
}

/** All rows that were left out, where they are too many to stand in a view. */
export function rejectedRowsFile(bad: readonly RejectedRow[]): Buffer | undefined {
  if (bad.length <= mostShown) {
    return undefined;
  }
  const columns = [
    { title: 'Line', cell: ({ line }: RejectedRow) => String(line) },
    { title: 'As it stands there', cell: ({ text }: RejectedRow) => text, phoneNumbers: true },
    { title: 'Why it was left out', cell: ({ reason }: RejectedRow) => reason },
  ];
  return Buffer.from([...writeCsv(columns, bad)].join(''));
}

/** `Line 7: “0803” is too short for Nigeria` */
export function describeRejectedRow({ line, text, reason }: RejectedRow): string {
  return text === '' ? `Line ${line} ${reason}` : `Line ${line}: “${clampText(text, longestCell)}” ${reason}`;
}
